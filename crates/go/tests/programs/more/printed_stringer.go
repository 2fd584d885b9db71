// Printing calls String of what is behind an interface, which takes a lock that is held already.
//
// expect: stuck
// blocked: main@lock
package printedstringer

import (
	"fmt"
	"sync"
	"testing"
)

type gauge struct {
	mu sync.Mutex
	n  int
}

func (g *gauge) String() string {
	g.mu.Lock() //@lock
	defer g.mu.Unlock()
	return fmt.Sprint(g.n)
}

func report(what string, args ...interface{}) {
	_ = fmt.Sprintf(what, args...)
}

func show(v interface{}) {
	_ = fmt.Sprintf("%v", v)
}

func TestGauge(t *testing.T) {
	g := &gauge{n: 1}
	report("%v", 1)
	g.mu.Lock()
	show(g)
	g.mu.Unlock()
}
