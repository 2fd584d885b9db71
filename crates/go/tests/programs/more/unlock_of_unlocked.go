// A mutex is unlocked by hand and once more by what is deferred.
//
// expect: fault
// fault: unlock of unlocked mutex@deferred
// fault: unlock of unlocked mutex@return
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
	defer s.mu.Unlock() //@deferred
	n := len(s.items)
	if n == 0 {
		s.mu.Unlock()
		return "", false //@return
	}
	top, s.items = s.items[n-1], s.items[:n-1]
	return top, true
}

func TestPop(t *testing.T) {
	s := &stack{items: []string{"a"}}
	s.pop()
	s.pop()
}
