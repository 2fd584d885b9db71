// Each round is a function of its own.
//
// expect: holds
package deferinloop

import (
	"sync"
	"testing"
)

type ledger struct {
	mu    sync.Mutex
	lines []int
}

func (l *ledger) add(ns ...int) (last int) {
	for _, n := range ns {
		func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.lines = append(l.lines, n)
		}()
		defer func(seen int) {
			if seen > last {
				panic("arguments are evaluated when defer is")
			}
		}(n)
		last = n
	}
	for range ns {
		func() {
			l.mu.Lock()
			defer l.mu.Unlock()
		}()
	}
	return last
}

func TestLedger(t *testing.T) {
	l := new(ledger)
	if l.add(1, 2) != 2 {
		t.Error("not the last")
	}
}
