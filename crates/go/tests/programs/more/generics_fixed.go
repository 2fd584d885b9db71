// A queue of any type, whose close wakes all who wait.
//
// expect: holds
package generics

import (
	"sync"
	"testing"
)

type queue[T any] struct {
	mu     sync.Mutex
	cond   *sync.Cond
	items  []T
	closed bool
}

func newQueue[T any]() *queue[T] {
	q := &queue[T]{}
	q.cond = sync.NewCond(&q.mu)
	return q
}

func (q *queue[T]) push(x T) {
	q.mu.Lock()
	q.items = append(q.items, x)
	q.mu.Unlock()
	q.cond.Signal()
}

func (q *queue[T]) pop() (x T, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.closed {
		q.cond.Wait()
	}
	if len(q.items) == 0 {
		return x, false
	}
	x, q.items = q.items[0], q.items[1:]
	return x, true
}

func (q *queue[T]) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.cond.Broadcast()
}

func drain[T comparable](q *queue[T], bad T) {
	for {
		x, ok := q.pop()
		if !ok {
			return
		}
		if x == bad {
			panic("bad item")
		}
	}
}

func TestQueue(t *testing.T) {
	numbers := newQueue[int]()
	words := newQueue[string]()
	go drain(numbers, 3) // a consumer
	go drain(words, "x") // a consumer
	numbers.push(1)
	words.push("a")
	numbers.close()
	words.close()
}
