// Before Go 1.22, which a file is taken for unless it says otherwise, all rounds of a loop share its variable.
//
// expect: race, fault
// fault: index out of range@index
// race: loop, index
package loopvariable

import (
	"sync"
	"testing"
)

func TestLoop(t *testing.T) {
	results := make([]int, 2)
	var wg sync.WaitGroup
	wg.Add(2)
	for i := 0; i < 2; i++ { //@loop
		go func() {
			defer wg.Done()
			results[i] = 1 //@index
		}()
	}
	wg.Wait()
}
