// Readers come and go for ever, each with one lock at a time.
//
// expect: holds
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
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.n
}

func (t *table) read() {
	for {
		t.mu.RLock()
		if t.n > 1 {
			panic("too many")
		}
		t.mu.RUnlock()
	}
}

func (t *table) write() {
	for {
		t.mu.Lock()
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
