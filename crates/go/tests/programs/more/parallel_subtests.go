// Parallel subtests start when their parent has returned, and their parent waits for them.
//
// expect: stuck
// blocked: main@wait, subtest@parallel*2
package parallelsubtests

import (
	"sync"
	"testing"
)

func TestParent(t *testing.T) {
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		wg.Add(1)
		t.Run(name, func(t *testing.T) { // a subtest
			defer wg.Done()
			t.Parallel() //@parallel
		})
	}
	wg.Wait() //@wait
}
