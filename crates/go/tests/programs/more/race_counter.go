// Two count without a lock.
//
// expect: race
// race: count, count
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
			n++ //@count
			mu.Lock()
			mu.Unlock()
			wg.Done()
		}()
	}
	wg.Wait()
	_ = n
}
