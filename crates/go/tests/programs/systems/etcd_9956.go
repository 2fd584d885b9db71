// A close is done twice: by the one who is told to, and by the one who finds an error.
//
// expect: fault
// fault: close of closed channel@close
// fault: panic@close
package etcd9956

import (
	"errors"
	"sync"
	"testing"
)

type monitor struct {
	errc  chan error
	donec chan struct{}
}

func (m *monitor) shutdown() {
	close(m.donec) //@close
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
