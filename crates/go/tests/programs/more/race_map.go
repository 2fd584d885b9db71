// A map is read while it is written.
//
// expect: race
// race: read, write
package racemap

import (
	"sync"
	"testing"
)

type registry struct {
	mu    sync.RWMutex
	names map[string]int
}

func (r *registry) set(name string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names[name] = n //@write
}

func (r *registry) get(name string) (int, bool) {
	n, ok := r.names[name] //@read
	return n, ok
}

func TestRegistry(t *testing.T) {
	r := &registry{names: make(map[string]int)}
	go r.set("a", 1)
	go r.get("a")
}
