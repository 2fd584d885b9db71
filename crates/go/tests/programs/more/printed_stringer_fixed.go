// The lock is given back before the value is printed.
//
// expect: holds
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
	g.mu.Lock()
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
	g.mu.Unlock()
	show(g)
}
