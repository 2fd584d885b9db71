// A round tripper for tests reads a map that is being written.
//
// expect: race
// race: read, write
// race: write, read
package serving3068

import (
	"sync"
	"testing"
)

type fakeRT struct {
	mu    sync.Mutex
	hosts map[string]int
}

func (rt *fakeRT) RoundTrip(host string) {
	rt.mu.Lock()
	rt.hosts[host]++ //@write
	rt.mu.Unlock()
}

func (rt *fakeRT) count(host string) int {
	return rt.hosts[host] //@read
}

func TestServing3068(t *testing.T) {
	rt := &fakeRT{hosts: map[string]int{}}
	var wg sync.WaitGroup
	for _, h := range []string{"a", "b"} {
		h := h
		wg.Add(1)
		go func() {
			defer wg.Done()
			rt.RoundTrip(h)
		}()
	}
	if rt.count("a") > 1 {
		t.Fatal("too many")
	}
	wg.Wait()
}
