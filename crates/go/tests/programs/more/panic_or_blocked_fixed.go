// The consumer takes all that is produced, whoever comes first.
//
// expect: holds
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
	f.items <- 2
}

func TestFeed(t *testing.T) {
	f := &feed{items: make(chan int)}
	go f.produce()
	f.mu.Lock()
	ready := f.ready
	f.mu.Unlock()
	if !ready {
		t.Log("the consumer came first")
	}
	<-f.items
	<-f.items
}
