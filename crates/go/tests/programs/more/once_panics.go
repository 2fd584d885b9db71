// A function that panics has been done, as far as its Once is concerned.
//
// expect: fault
// fault: nil pointer dereference@use
package oncepanics

import (
	"sync"
	"testing"
)

type conn struct{ open bool }

type pool struct {
	once sync.Once
	c    *conn
}

func (p *pool) get(fail bool) (c *conn) {
	defer func() {
		if r := recover(); r != nil {
			c = p.c
		}
	}()
	p.once.Do(func() {
		if fail {
			panic("no connection")
		}
		p.c = &conn{open: true}
	})
	return p.c
}

func TestOncePanics(t *testing.T) {
	p := &pool{}
	first := p.get(true)
	second := p.get(false)
	if first != nil {
		t.Error("there is one")
	}
	second.open = false //@use
}
