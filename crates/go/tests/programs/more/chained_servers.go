// A ring of goroutines, each started by the one before, hands a token round for ever, until one keeps it.
//
// expect: stuck
// blocked: node@take*3
package chainedservers

import (
	"math/rand"
	"testing"
)

type ring struct {
	in, out chan bool
}

func node(r ring, left int, first chan bool) {
	if left > 0 {
		next := ring{in: r.out, out: make(chan bool)}
		if left == 1 {
			next.out = first
		}
		go node(next, left-1, first)
	}
	for token := range r.in { //@take
		if token && rand.Intn(10) > 0 {
			r.out <- token
		}
	}
}

func TestRing(t *testing.T) {
	first := make(chan bool, 1)
	first <- true
	go node(ring{first, make(chan bool)}, 2, first)
}
