// The parent leaves it to the testing package to wait.
//
// expect: holds
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
			t.Parallel()
		})
	}
}
