// A merge ends when one of its inputs is closed, and the sender of the other is left behind.
//
// expect: stuck
// blocked: feed@send
package nilchannelmerge

import (
	"testing"
)

func feed(c chan<- int, n int) {
	for i := 0; i < n; i++ {
		c <- i //@send
	}
	close(c)
}

func merge(a, b <-chan int) (n int) {
	for a != nil && b != nil {
		select {
		case _, ok := <-a:
			if !ok {
				a = nil
				continue
			}
			n++
		case _, ok := <-b:
			if !ok {
				b = nil
				continue
			}
			n++
		}
	}
	return n
}

func TestMerge(t *testing.T) {
	a, b := make(chan int), make(chan int)
	go feed(a, 1)
	go feed(b, 2)
	n := merge(a, b)
	_ = n
}
