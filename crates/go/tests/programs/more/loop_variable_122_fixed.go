// From Go 1.22 on each round of a loop has its own variable.
//
// expect: holds

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
		}()
	}
	wg.Wait()
	if results[1] != 1 {
		panic("the variable is shared")
	}
	_ = last
}
