// Go: an error is sent on a channel that nobody may take it from.
//
// expect: holds
package moby4395

import (
	"errors"
	"testing"
)

func Go(f func() error) chan error {
	ch := make(chan error, 1)
	go func() { // f
		ch <- f() //@send
	}()
	return ch
}

func TestMoby4395(t *testing.T) {
	Go(func() error {
		return errors.New("")
	})
}
