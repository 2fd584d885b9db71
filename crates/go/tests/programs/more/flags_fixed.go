// The other way round.
//
// expect: holds
package flags

import (
	"testing"
)

type flag uint32

const (
	opened flag = 1 << iota
	closed
	broken
)

func (f flag) has(other flag) bool { return f&other != 0 }

func (f *flag) set(other flag) { *f |= other }

func TestFlags(t *testing.T) {
	has, set := flag.has, (*flag).set
	var f flag
	n := 0
again:
	set(&f, opened|broken)
	n++
	if n < 2 {
		goto again
	}
	f &^= broken
	f ^= closed
	if f != 3 || has(f, broken) || f>>1 != 1 || f<<uint(n) != 12 {
		panic("computed otherwise")
	}
	done := make(chan struct{})
	if has(f, closed) {
		close(done)
	}
	<-done
}
