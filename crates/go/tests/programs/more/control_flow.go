// Labels, goto, switches that fall through, and a count that is wrong by one.
//
// expect: fault
// fault: panic@wrong
package controlflow

import (
	"testing"
)

func classify(n int) (s string) {
	switch {
	case n < 0:
		return "negative"
	case n == 0:
		s = "zero"
		fallthrough
	case n == 1:
		s += "small"
	default:
		s = "large"
	}
	return
}

func rounds() (n int) {
outer:
	for i := 0; i < 3; i++ {
		for j := 0; ; j++ {
			switch {
			case j == 2:
				continue outer
			case i == 2:
				break outer
			case j == 1:
				break
			}
			n++
		}
	}
	i := 0
again:
	if i < 2 {
		i++
		goto again
	}
	return n + i
}

func TestFlow(t *testing.T) {
	if classify(0) != "zerosmall" || classify(1) != "small" || classify(2) != "large" {
		panic("classified otherwise")
	}
	const want = 5
	if rounds() != want {
		panic("counted otherwise") //@wrong
	}
}
