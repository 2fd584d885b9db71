// A configuration behind an atomic pointer: two load it, and store what they have changed; one of the changes is lost.
//
// expect: fault
// fault: assert@assert
package config

import (
	"sync"
	"sync/atomic"
	"testing"
)

type settings struct{ changes int }

type store struct {
	current atomic.Pointer[settings]
}

func (s *store) change() {
	old := s.current.Load()
	s.current.Store(&settings{old.changes + 1})
}

func TestStore(t *testing.T) {
	var s store
	s.current.Store(&settings{})
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.change()
		}()
	}
	wg.Wait()
	changes := s.current.Load().changes
	//kinfold:assert changes == 2 //@assert
	_ = changes
}
