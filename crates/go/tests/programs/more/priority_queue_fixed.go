// As `priority_queue`, with a lock; what comes out comes in order.
//
// expect: holds
package queue

import (
	"container/heap"
	"sync"
	"testing"
)

type queue []int

func (q queue) Len() int            { return len(q) }
func (q queue) Less(i, j int) bool  { return q[i] < q[j] }
func (q queue) Swap(i, j int)       { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x interface{}) { *q = append(*q, x.(int)) }
func (q *queue) Pop() interface{} {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}

func TestQueue(t *testing.T) {
	q := &queue{4}
	heap.Init(q)
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Add(1)
	push := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		heap.Push(q, n)
	}
	go func() {
		defer wg.Done()
		push(1)
	}()
	push(2)
	wg.Wait()
	(*q)[0] = 3
	heap.Fix(q, 0)
	if heap.Pop(q).(int) != 2 || q.Len() != 2 {
		t.Fatal("not in order")
	}
}
