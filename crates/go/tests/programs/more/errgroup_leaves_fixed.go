// Tasks watch the context of their group.
//
// expect: holds
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
			select {
			case items <- i:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	g.Go(func() error { // the receiver
		<-items
		return errors.New("cannot go on")
	})
	if err := g.Wait(); err == nil {
		panic("there is no error")
	}
}
