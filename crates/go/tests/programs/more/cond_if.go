// Two consumers are woken for one item; the second finds none, since it does not look again.
//
// expect: fault
// fault: index out of range@pop
package condif

import (
	"sync"
	"testing"
)

type queue struct {
	mu    sync.Mutex
	cond  *sync.Cond
	items []int
}

func (q *queue) put(x int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, x)
	q.cond.Broadcast()
}

func (q *queue) take() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		q.cond.Wait()
	}
	x := q.items[0] //@pop
	q.items = q.items[1:]
	return x
}

func TestQueue(t *testing.T) {
	q := &queue{}
	q.cond = sync.NewCond(&q.mu)
	for i := 0; i < 2; i++ {
		go q.take()
	}
	q.put(1)
	q.put(2)
}
