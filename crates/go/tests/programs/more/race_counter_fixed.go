// Two count under a lock.
//
// expect: holds
package racecounter

import (
	"sync"
	"testing"
)

func TestCount(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			mu.Lock()
			n++
			mu.Unlock()
			wg.Done()
		}()
	}
	wg.Wait()
	if n != 2 {
		panic("a count was lost")
	}
}
