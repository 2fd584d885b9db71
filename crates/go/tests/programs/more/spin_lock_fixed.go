// The flag is looked at and set at once.
//
// expect: holds
package spinlock

import (
	"sync/atomic"
	"testing"
)

type spinLock struct{ held int32 }

func (s *spinLock) lock() {
	for {
		if atomic.CompareAndSwapInt32(&s.held, 0, 1) {
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
			count++
			l.unlock()
		}()
	}
}
