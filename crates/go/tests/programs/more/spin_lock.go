// A lock made of an atomic flag, which is looked at and then set: two may have it.
//
// expect: race
// race: count, count
package spinlock

import (
	"sync/atomic"
	"testing"
)

type spinLock struct{ held int32 }

func (s *spinLock) lock() {
	for {
		if atomic.LoadInt32(&s.held) == 0 {
			atomic.StoreInt32(&s.held, 1)
			return
		}
	}
}

func (s *spinLock) unlock() {
	atomic.StoreInt32(&s.held, 0)
}

func TestSpin(t *testing.T) {
	l := new(spinLock)
	count := 0
	for i := 0; i < 2; i++ {
		go func() {
			l.lock()
			count++ //@count
			l.unlock()
		}()
	}
}
