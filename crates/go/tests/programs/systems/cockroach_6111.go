// The clock's offset is copied by value with its fields, while a monitor writes them.
//
// expect: race
// race: copied, written
package cockroach6111

import (
	"sync"
	"testing"
)

type offset struct {
	value   int64
	healthy bool
}

type monitor struct {
	sync.Mutex
	offsets map[string]offset
	last    offset
}

func (m *monitor) update(addr string, o offset) {
	m.Lock()
	defer m.Unlock()
	m.offsets[addr] = o
	m.last.value = o.value //@written
}

func (m *monitor) latest() offset {
	return m.last //@copied
}

func TestCockroach6111(t *testing.T) {
	m := &monitor{offsets: make(map[string]offset)}
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		m.update("a", offset{value: 3, healthy: true})
	}()
	if o := m.latest(); o.value > 3 {
		t.Fatal("too far")
	}
	<-stop
}
