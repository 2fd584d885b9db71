// What is done once asks for itself to be done once.
//
// expect: stuck
// blocked: main@inner
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
	c.once.Do(func() { //@inner
		c.value = c.fallback() + 1
	})
	return c.value
}

func (c *config) fallback() int {
	return c.load()
}

func TestOnce(t *testing.T) {
	c := &config{}
	if c.load() != 1 {
		t.Error("not loaded")
	}
}
