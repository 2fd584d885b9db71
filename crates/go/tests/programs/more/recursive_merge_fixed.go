// A merge of any number of channels, by halves, each of which is closed.
//
// expect: holds
package recursivemerge

import (
	"testing"
)

func one(n int) <-chan int {
	c := make(chan int, 1)
	c <- n
	close(c)
	return c
}

func merge(cs ...<-chan int) <-chan int {
	switch len(cs) {
	case 0:
		return nil
	case 1:
		return cs[0]
	}
	out := make(chan int)
	m := len(cs) / 2
	left, right := merge(cs[:m]...), merge(cs[m:]...)
	go func() { // a merger
		defer close(out)
		for x := range left {
			out <- x
		}
		for x := range right {
			out <- x
		}
	}()
	return out
}

func TestMerge(t *testing.T) {
	n := 0
	for x := range merge(one(1), one(2)) {
		n += x
	}
	if n != 3 {
		t.Error(n)
	}
}
