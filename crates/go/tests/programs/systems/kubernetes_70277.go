// A poller goes on until its own channel is closed; the one who waited has left and leaves it to a timer without end.
//
// expect: stuck
// blocked: poller@poll
package kubernetes70277

import (
	"errors"
	"testing"
	"time"
)

var errTimeout = errors.New("timed out")

type WaitFunc func(done <-chan struct{}) <-chan struct{}

type ConditionFunc func() (done bool, err error)

func (w WaitFunc) WaitFor(fn ConditionFunc, done <-chan struct{}) error {
	c := w(done)
	for {
		select {
		case _, open := <-c:
			ok, err := fn()
			if err != nil {
				return err
			}
			if ok {
				return nil
			}
			if !open {
				return errTimeout
			}
		case <-done:
			return errTimeout
		}
	}
}

func poller(interval, timeout time.Duration) WaitFunc {
	return WaitFunc(func(done <-chan struct{}) <-chan struct{} {
		ch := make(chan struct{})
		go func() { // the poller
			defer close(ch)
			tick := time.NewTicker(interval)
			defer tick.Stop()
			for {
				select {
				case <-tick.C:
					ch <- struct{}{} //@poll
				case <-done:
					return
				}
			}
		}()
		return ch
	})
}

func TestKubernetes70277(t *testing.T) {
	stopCh := make(chan struct{})
	defer close(stopCh)
	waitFunc := poller(time.Millisecond, 80*time.Millisecond)
	var doneCh <-chan struct{}
	WaitFunc(func(done <-chan struct{}) <-chan struct{} {
		doneCh = done
		return waitFunc(done)
	}).WaitFor(func() (bool, error) {
		time.Sleep(10 * time.Millisecond)
		return true, nil
	}, stopCh)
	_ = doneCh
}
