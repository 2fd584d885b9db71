// A request that takes too long is given up, and its result is waited with for ever.
//
// expect: stuck
// blocked: finish@ok
// blocked: finish@err
package kubernetes5316

import (
	"errors"
	"math/rand"
	"testing"
	"time"
)

type resultFunc func() (int, error)

func finishRequest(timeout time.Duration, fn resultFunc) (result int, err error) {
	ch := make(chan int)
	errCh := make(chan error)
	go func() { // finish
		if result, err := fn(); err != nil {
			errCh <- err //@err
		} else {
			ch <- result //@ok
		}
	}()
	select {
	case result = <-ch:
	case err = <-errCh:
	case <-time.After(timeout):
		err = errors.New("timeout")
	}
	return
}

func TestKubernetes5316(t *testing.T) {
	fn := func() (int, error) {
		time.Sleep(2 * time.Millisecond)
		if rand.Intn(10) > 5 {
			return 0, errors.New("Error")
		}
		return 1, nil
	}
	go finishRequest(time.Microsecond, fn)
	time.Sleep(1 * time.Millisecond)
}
