// The variable is copied in each round.
//
// expect: holds
package loopvariable

import (
	"sync"
	"testing"
)

func TestLoop(t *testing.T) {
	results := make([]int, 2)
	var wg sync.WaitGroup
	wg.Add(2)
	for i := 0; i < 2; i++ {
		i := i
		go func() {
			defer wg.Done()
			results[i] = 1
		}()
	}
	wg.Wait()
}
