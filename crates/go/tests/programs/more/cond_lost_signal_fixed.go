// What is waited for is a condition, which is looked at before waiting.
//
// expect: holds
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
	for !ready {
		cond.Wait()
	}
	if !ready {
		panic("woken too early")
	}
	mu.Unlock()
}
