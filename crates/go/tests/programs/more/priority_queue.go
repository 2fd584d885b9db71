// A queue by priority whose users do not agree on who locks: two push at once.
//
// expect: race
// race: push, push
// race: push, swap
// race: push, less
// race: swap, less
// race: swap, swap
// race: push, len
package queue

import (
	"container/heap"
	"sync"
	"testing"
)

type queue []int

func (q queue) Len() int            { return len(q) }            //@len
func (q queue) Less(i, j int) bool  { return q[i] < q[j] }       //@less
func (q queue) Swap(i, j int)       { q[i], q[j] = q[j], q[i] }  //@swap
func (q *queue) Push(x interface{}) { *q = append(*q, x.(int)) } //@push
func (q *queue) Pop() interface{} {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}

func TestQueue(t *testing.T) {
	q := &queue{}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		heap.Push(q, 1)
	}()
	heap.Push(q, 2)
	wg.Wait()
}
