// What was there when it was asked for is gone when it is printed.
//
// expect: fault
// fault: nil pointer dereference@read
package printednil

import (
	"sync"
	"testing"
)

type LRU struct {
	mu    sync.RWMutex
	items map[string]*item
	head  *item
}

type item struct {
	key        string
	prev, next *item
}

func (l *LRU) get(k string) *item {
	l.mu.RLock()
	defer l.mu.RUnlock()
	it, ok := l.items[k]
	if !ok {
		return nil
	}
	return it
}

func (l *LRU) remove(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.items, k)
}

func TestD7(t *testing.T) {
	l := &LRU{items: map[string]*item{"a": {key: "a"}}}
	done := make(chan bool)
	go func() {
		l.remove("a")
		done <- true
	}()
	if l.get("a") != nil {
		it := l.get("a")
		t.Log(it.key) //@read
	}
	<-done
}
