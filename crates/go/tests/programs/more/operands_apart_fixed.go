// Both are read and written under a lock.
//
// expect: holds
package operandsapart

import (
	"sync"
	"testing"
)

type span struct {
	mu        sync.Mutex
	low, high int
}

func (s *span) move() {
	s.mu.Lock()
	s.high = 1
	s.low = 1
	s.mu.Unlock()
}

func TestSpan(t *testing.T) {
	s := &span{}
	go s.move()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.high < s.low {
		panic("the first is old, the second is new")
	}
}
