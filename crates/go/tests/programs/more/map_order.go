// Two go over the same map of locks, each in an order of its own.
//
// expect: stuck
// blocked: a@lock, b@lock
package maporder

import (
	"sync"
	"testing"
)

type table map[int]*sync.Mutex

func (t table) all() {
	for k := range t {
		t[k].Lock() //@lock
	}
	for _, m := range t {
		m.Unlock()
	}
}

func TestTable(t *testing.T) {
	locks := table{0: new(sync.Mutex), 1: new(sync.Mutex)}
	go locks.all() // a
	go locks.all() // b
}
