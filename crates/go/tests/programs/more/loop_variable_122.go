// From Go 1.22 on each round of a loop has its own variable, but what is declared before the loop has not.
//
// expect: race
// race: last, last

//go:build go1.22

package loopvariable122

import (
	"sync"
	"testing"
)

func TestLoop(t *testing.T) {
	results := make([]int, 2)
	var wg sync.WaitGroup
	wg.Add(2)
	last := 0
	for i := 0; i < 2; i++ {
		go func() {
			defer wg.Done()
			results[i] = i
			last = i //@last
		}()
	}
	wg.Wait()
	if results[1] != 1 {
		panic("the variable is shared")
	}
	_ = last
}
