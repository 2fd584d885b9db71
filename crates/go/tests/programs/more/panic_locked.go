// A panic that is recovered leaves a mutex locked.
//
// expect: stuck
// blocked: main@lock
package paniclocked

import (
	"fmt"
	"sync"
	"testing"
)

type account struct {
	mu  sync.Mutex
	sum int
}

func (a *account) take(n int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("failed: %v", r)
		}
	}()
	a.mu.Lock() //@lock
	if n > a.sum {
		panic("not enough")
	}
	a.sum -= n
	a.mu.Unlock()
	return nil
}

func TestAccount(t *testing.T) {
	a := &account{sum: 1}
	if err := a.take(2); err == nil {
		t.Error("there is enough")
	}
	if err := a.take(1); err != nil {
		t.Error(err)
	}
}
