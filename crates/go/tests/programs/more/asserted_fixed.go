// One adds after the other.
//
// expect: holds
package asserted

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestAdd(t *testing.T) {
	var n int32
	var wg sync.WaitGroup
	wg.Add(2)
	for i := 0; i < 2; i++ {
		go func() {
			defer wg.Done()
			atomic.AddInt32(&n, 1)
		}()
	}
	wg.Wait()
	sum := atomic.LoadInt32(&n)
	//kinfold:assert sum == 2
	_ = sum
}
