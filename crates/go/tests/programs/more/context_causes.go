// The first cause of the end of a context counts: two give one, and one of them takes it for granted that it is its own.
//
// expect: fault
// fault: panic@wrong

//go:build go1.22

package causes

import (
	"context"
	"errors"
	"testing"
)

var broken, stopped = errors.New("broken"), errors.New("stopped")

func TestCauses(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	child, end := context.WithCancel(ctx)
	defer end()
	go cancel(broken)
	cancel(stopped)
	<-child.Done()
	if !errors.Is(context.Cause(child), stopped) {
		panic("another cause") //@wrong
	}
}
