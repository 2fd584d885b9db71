// Errors are found within others: by value, by type, and by taking them out.
//
// expect: stuck
// blocked: main@wait
package errorswithin

import (
	"errors"
	"fmt"
	"testing"
)

var ErrGone = errors.New("gone")

type codeError struct{ code int }

func (e *codeError) Error() string { return fmt.Sprint("code ", e.code) }

func open(n int) error {
	if n == 0 {
		return fmt.Errorf("open %d: %w", n, ErrGone)
	}
	return fmt.Errorf("open: %w", &codeError{code: n})
}

func TestB1(t *testing.T) {
	c := make(chan int)
	err := open(0)
	if errors.Is(err, ErrGone) && !errors.Is(err, errors.New("x")) {
		var ce *codeError
		if errors.As(open(3), &ce) && ce.code == 3 {
			if errors.Unwrap(err) == ErrGone {
				<-c //@wait
			}
		}
	}
}
