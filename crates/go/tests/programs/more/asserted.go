// An assertion of Kinfold's own, in a comment: two add one, and one of them is lost.
//
// expect: fault
// fault: assert@assert
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
			v := atomic.LoadInt32(&n)
			atomic.StoreInt32(&n, v+1)
		}()
	}
	wg.Wait()
	sum := atomic.LoadInt32(&n)
	//kinfold:assert sum == 2 //@assert
	_ = sum
}
