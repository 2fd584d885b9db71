// One order of events ends in a panic, another one leaves a goroutine behind.
//
// expect: fault, stuck
// blocked: producer@send
// fault: the consumer came first@panic
package panicorblocked

import (
	"sync"
	"testing"
)

type feed struct {
	mu    sync.Mutex
	ready bool
	items chan int
}

func (f *feed) produce() {
	f.mu.Lock()
	f.ready = true
	f.mu.Unlock()
	f.items <- 1
	f.items <- 2 //@send
}

func TestFeed(t *testing.T) {
	f := &feed{items: make(chan int)}
	go f.produce()
	f.mu.Lock()
	ready := f.ready
	f.mu.Unlock()
	if !ready {
		panic("the consumer came first") //@panic
	}
	<-f.items
}
