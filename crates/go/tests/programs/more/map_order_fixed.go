// The keys are gone over in order.
//
// expect: holds
package maporder

import (
	"sync"
	"testing"
)

type table map[int]*sync.Mutex

func (t table) all() {
	for k := 0; k < len(t); k++ {
		t[k].Lock()
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
