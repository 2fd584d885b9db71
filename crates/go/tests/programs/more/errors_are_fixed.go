// What errors are, also those of the program, which say so by `Is`; and methods as functions, also of what is embedded.
//
// expect: holds
package main

import (
	"errors"
	"fmt"
	"sync"
)

var a, b = errors.New("a"), errors.New("b")

type code struct{ n int }

func (c *code) Error() string        { return "code" }
func (c *code) Is(target error) bool { return target == a && c.n == 1 }

type base struct{ n int }

func (b *base) add(k int) int { b.n += k; return b.n }
func (b base) get() int       { return b.n }

type outer struct{ *base }
type locked struct{ sync.Mutex }
type getter interface{ get() int }

func must(ok bool, s string) {
	if !ok {
		panic(s)
	}
}

func main() {
	must(!errors.Is(nil, a) && errors.Is(nil, nil) && !errors.Is(a, nil), "nil")
	must(errors.Is(a, a) && !errors.Is(a, b) && errors.Is(fmt.Errorf("x: %w", b), b), "wrapped")
	must(errors.Is(&code{1}, a) && !errors.Is(&code{2}, a) && errors.Is(fmt.Errorf("y: %w", &code{1}), a), "own")
	o := outer{base: &base{1}}
	add := outer.add
	must(add(o, 2) == 3, "embedded")
	must((*base).get(o.base) == 3 && outer.get(o) == 3 && getter.get(o) == 3, "get")
	var l locked
	lock := (*locked).Lock
	lock(&l)
	must(!l.TryLock(), "lock")
	(*locked).Unlock(&l)
	must(l.TryLock(), "unlock")
}
