// What a test cleans up is done when it is over, and what is sorted is in order.
//
// expect: holds
package cleanedup

import (
	"sort"
	"sync"
	"testing"
)

type server struct {
	mu   sync.Mutex
	done chan struct{}
}

func newServer(t *testing.T) *server {
	s := &server{done: make(chan struct{})}
	t.Cleanup(func() { close(s.done) })
	return s
}

func TestB2(t *testing.T) {
	s := newServer(t)
	go func() {
		<-s.done
	}()
	xs := []int{3, 1, 2}
	sort.Slice(xs, func(i, j int) bool { return xs[i] < xs[j] })
	if xs[0] != 1 || xs[2] != 3 {
		t.Fatal("not sorted")
	}
	ys := []int{2, 1}
	sort.Ints(ys)
	if ys[0] != 1 {
		t.Fatal("not sorted")
	}
}
