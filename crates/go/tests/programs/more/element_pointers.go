// Pointers to elements of slices and arrays: each worker adds to what it is given, and one is given another's.
//
// expect: race
// race: add, add
package counts

import (
	"sync"
	"testing"
)

type level int

func (l *level) up() { *l++ } //@add

func TestCounts(t *testing.T) {
	var wg sync.WaitGroup
	levels := make([]level, 2)
	for i := range levels {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			levels[i/2].up()
		}(i)
	}
	wg.Wait()
}
