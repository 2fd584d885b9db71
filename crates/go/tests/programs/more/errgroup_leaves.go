// A task of a group fails; another, which knows nothing of the group's context, waits to send what nobody takes.
//
// expect: stuck
// blocked: main@wait, sender@send
package errgroupleaves

import (
	"context"
	"errors"
	"testing"

	"golang.org/x/sync/errgroup"
)

func TestGroup(t *testing.T) {
	g, ctx := errgroup.WithContext(context.Background())
	items := make(chan int)
	g.Go(func() error { // the sender
		for i := 0; i < 2; i++ {
			items <- i //@send
		}
		return nil
	})
	g.Go(func() error { // the receiver
		<-items
		return errors.New("cannot go on")
	})
	if err := g.Wait(); err == nil { //@wait
		panic("there is no error")
	}
	_ = ctx
}
