// A queue's heap is peeked at without its lock.
//
// expect: race
// race: peek, push
package kubernetes79631

import (
	"sync"
	"testing"
)

type heapData struct {
	items map[string]int
	queue []string
}

type Heap struct {
	data *heapData
}

func (h *Heap) Add(k string, v int) error {
	h.data.items[k] = v //@push
	h.data.queue = append(h.data.queue, k)
	return nil
}

func (h *Heap) Len() int { return len(h.data.items) } //@peek

type PriorityQueue struct {
	lock    sync.RWMutex
	cond    sync.Cond
	activeQ *Heap
}

func (p *PriorityQueue) Add(k string) error {
	p.lock.Lock()
	defer p.lock.Unlock()
	err := p.activeQ.Add(k, 1)
	if err == nil {
		p.cond.Broadcast()
	}
	return err
}

func (p *PriorityQueue) Pop() string {
	p.lock.Lock()
	defer p.lock.Unlock()
	for len(p.activeQ.data.queue) == 0 {
		p.cond.Wait()
	}
	k := p.activeQ.data.queue[0]
	p.activeQ.data.queue = p.activeQ.data.queue[1:]
	return k
}

func NewPriorityQueue() *PriorityQueue {
	pq := &PriorityQueue{activeQ: &Heap{data: &heapData{items: map[string]int{}, queue: []string{}}}}
	pq.cond.L = &pq.lock
	return pq
}

func TestKubernetes79631(t *testing.T) {
	q := NewPriorityQueue()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		q.Add("a")
	}()
	if q.activeQ.Len() > 1 {
		t.Fatal("too long")
	}
	if k := q.Pop(); k != "a" {
		t.Errorf("got %s", k)
	}
	wg.Wait()
}
