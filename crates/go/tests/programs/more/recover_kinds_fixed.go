// The last one is recovered for good.
//
// expect: holds
package recoverkinds

import (
	"errors"
	"testing"
)

var errFailed = errors.New("failed")

type node struct{ next *node }

func try(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case error:
			err = r
		default:
			err = errFailed
		}
	}()
	f()
	return nil
}

func helper() interface{} { return recover() }

func again() (n int) {
	defer func() {
		n++
		if r := recover(); r != nil {
			n += 10
		}
	}()
	defer func() {
		if helper() != nil {
			panic("a helper does not recover")
		}
		if r := recover(); r != "first" {
			panic("not the first")
		}
		panic("second")
	}()
	panic("first")
}

func TestRecover(t *testing.T) {
	var n *node
	var m map[string]int
	var list []int
	var any interface{} = 1
	closed := make(chan int)
	close(closed)
	zero := len(list)
	for _, f := range []func(){
		func() { n.next = nil },
		func() { m["a"] = 1 },
		func() { list[zero] = 1 },
		func() { _ = any.(string) },
		func() { close(closed) },
		func() { closed <- 1 },
		func() { zero = 1 / zero },
		func() { panic("own") },
	} {
		if try(f) == nil {
			panic("not recovered")
		}
	}
	if try(func() {}) != nil {
		panic("nothing to recover")
	}
	if again() != 11 {
		panic("counted otherwise")
	}
	defer func() {
		if r := recover(); r != nil {
			t.Log("recovered")
		}
	}()
	panic("raised")
}
