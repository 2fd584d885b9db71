// As `atomic_pointer`, with comparing and swapping; also in structs that are copied to maps, embedded, and swapped.
//
// expect: holds
package config

import (
	"sync"
	"sync/atomic"
	"testing"
)

type settings struct{ changes int }

type store struct {
	atomic.Pointer[settings]
}

func (s *store) change() {
	for {
		old := s.Load()
		if s.CompareAndSwap(old, &settings{old.changes + 1}) {
			return
		}
	}
}

func TestStore(t *testing.T) {
	stores := map[string]*store{"a": {}}
	s := stores["a"]
	if s.Load() != nil || s.Swap(&settings{}) != nil {
		t.Fatal("there is one already")
	}
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.change()
		}()
	}
	wg.Wait()
	if s.Load().changes != 2 {
		t.Fatal("lost")
	}
}
