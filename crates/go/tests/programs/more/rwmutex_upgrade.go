// A read lock is made a write lock without being given back.
//
// expect: stuck
// blocked: main@write
package rwmutexupgrade

import (
	"sync"
	"testing"
)

type cache struct {
	sync.RWMutex
	entries map[string]int
}

func (c *cache) get(k string) int {
	c.RLock()
	v, ok := c.entries[k]
	if ok {
		c.RUnlock()
		return v
	}
	c.Lock() //@write
	c.entries[k] = 1
	c.Unlock()
	c.RUnlock()
	return 1
}

func TestUpgrade(t *testing.T) {
	c := &cache{entries: map[string]int{"a": 1}}
	c.get("a")
	c.get("b")
}
