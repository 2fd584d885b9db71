// A close is done twice: by the one who is told to, and by the one who finds an error.
//
// expect: holds
package etcd9956

import (
	"errors"
	"sync"
	"testing"
)

type monitor struct {
	errc  chan error
	donec chan struct{}
	once sync.Once
}

func (m *monitor) shutdown() {
	m.once.Do(func() { close(m.donec) })
}

func (m *monitor) run(wg *sync.WaitGroup) {
	defer wg.Done()
	select {
	case <-m.errc:
		m.shutdown()
	case <-m.donec:
	}
}

func TestEtcd9956(t *testing.T) {
	m := &monitor{errc: make(chan error, 1), donec: make(chan struct{})}
	var wg sync.WaitGroup
	wg.Add(1)
	go m.run(&wg)
	m.errc <- errors.New("lost")
	m.shutdown()
	wg.Wait()
}
