// A signal that comes before anybody waits is lost.
//
// expect: stuck
// blocked: main@wait
package condlostsignal

import (
	"sync"
	"testing"
)

func TestSignal(t *testing.T) {
	var mu sync.Mutex
	ready := false
	cond := sync.NewCond(&mu)
	go func() {
		mu.Lock()
		ready = true
		mu.Unlock()
		cond.Signal()
	}()
	mu.Lock()
	cond.Wait() //@wait
	if !ready {
		panic("woken too early")
	}
	mu.Unlock()
}
