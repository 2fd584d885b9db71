// Notifications by a condition variable that is signalled before it is waited for.
//
// expect: stuck
// blocked: main@done, signal@wait, until@cond
// blocked: main@done, until@cond
package kubernetes11298

import (
	"sync"
	"testing"
	"time"
)

type Signal <-chan struct{}

func After(f func()) Signal {
	ch := make(chan struct{})
	go func() {
		defer close(ch)
		if f != nil {
			f()
		}
	}()
	return Signal(ch)
}

func Until(f func(), period time.Duration, stopCh <-chan struct{}) {
	if f == nil {
		return
	}
	for {
		select {
		case <-stopCh:
			return
		default:
		}
		f()
		select {
		case <-stopCh:
		case <-time.After(period):
		}
	}
}

type notifier struct {
	lock sync.Mutex
	cond *sync.Cond
}

func (n *notifier) run(abort <-chan struct{}) {
	n.lock.Lock()
	defer n.lock.Unlock()
		n.cond.Wait() //@cond
}

func Notify(abort <-chan struct{}) Signal {
	n := &notifier{}
	n.cond = sync.NewCond(&n.lock)
	finished := After(func() {
		Until(func() {
			for {
				n.run(abort)
				return
			}
		}, 0, abort)
	})
	return After(func() {
		<-abort
		n.cond.Signal()
		<-finished //@wait
	})
}

func TestKubernetes11298(t *testing.T) {
	abort := make(chan struct{})
	done := Notify(abort)
	close(abort)
	<-done //@done
}
