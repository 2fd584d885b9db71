// A map is read and written under a lock.
//
// expect: holds
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
	r.names[name] = n
}

func (r *registry) get(name string) (int, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	n, ok := r.names[name]
	return n, ok
}

func TestRegistry(t *testing.T) {
	r := &registry{names: make(map[string]int)}
	go r.set("a", 1)
	go r.get("a")
}
