// Readers come and go for ever. One of them reads again before it is done, past a writer that waits.
//
// expect: stuck
// blocked: read@again, write@lock
// blocked: read@first, read@again, write@lock
// blocked: read@again*2, write@lock
package rwmutexwriters

import (
	"sync"
	"testing"
)

type table struct {
	mu sync.RWMutex
	n  int
}

func (t *table) size() int {
	t.mu.RLock() //@again
	defer t.mu.RUnlock()
	return t.n
}

func (t *table) read() {
	for {
		t.mu.RLock() //@first
		if t.n > 1 || t.size() > 1 {
			panic("too many")
		}
		t.mu.RUnlock()
	}
}

func (t *table) write() {
	for {
		t.mu.Lock() //@lock
		t.n = 1 - t.n
		t.mu.Unlock()
	}
}

func TestTable(t *testing.T) {
	tab := &table{}
	go tab.read()
	go tab.read()
	go tab.write()
}
