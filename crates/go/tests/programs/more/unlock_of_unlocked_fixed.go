// A mutex is unlocked by what is deferred.
//
// expect: holds
package unlockofunlocked

import (
	"sync"
	"testing"
)

type stack struct {
	mu    sync.Mutex
	items []string
}

func (s *stack) pop() (top string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.items)
	if n == 0 {
		return "", false
	}
	top, s.items = s.items[n-1], s.items[:n-1]
	return top, true
}

func TestPop(t *testing.T) {
	s := &stack{items: []string{"a"}}
	s.pop()
	s.pop()
}
