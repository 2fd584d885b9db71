// What is done once calls the rest directly.
//
// expect: holds
package oncewithin

import (
	"sync"
	"testing"
)

type config struct {
	once  sync.Once
	value int
}

func (c *config) load() int {
	c.once.Do(func() {
		c.value = c.fallback() + 1
	})
	return c.value
}

func (c *config) fallback() int {
	return 0
}

func TestOnce(t *testing.T) {
	c := &config{}
	if c.load() != 1 {
		t.Error("not loaded")
	}
}
