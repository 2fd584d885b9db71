// The read lock is given back first.
//
// expect: holds
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
	c.RUnlock()
	c.Lock()
	c.entries[k] = 1
	c.Unlock()
	return 1
}

func TestUpgrade(t *testing.T) {
	c := &cache{entries: map[string]int{"a": 1}}
	c.get("a")
	c.get("b")
}
