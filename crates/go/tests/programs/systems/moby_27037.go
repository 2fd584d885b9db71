// The loop's index is captured.
//
// expect: race
// race: next, use
package moby27037

import (
	"strconv"
	"sync"
	"testing"
)

type allocator struct {
	sync.Mutex
	ports map[int]string
}

func (a *allocator) take(n int, s string) {
	a.Lock()
	a.ports[n] = s
	a.Unlock()
}

func TestMoby27037(t *testing.T) {
	a := &allocator{ports: make(map[int]string)}
	var wg sync.WaitGroup
	wg.Add(2)
	for i := 0; i < 2; i++ { //@next
		go func() {
			defer wg.Done()
			a.take(i, "port-"+strconv.Itoa(i)) //@use
		}()
	}
	wg.Wait()
}
