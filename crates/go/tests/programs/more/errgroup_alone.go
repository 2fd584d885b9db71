// A group of tasks without a context.
//
// expect: holds
package errgroupalone

import (
	"testing"

	"golang.org/x/sync/errgroup"
)

func TestAlone(t *testing.T) {
	group := &errgroup.Group{}
	n := make(chan int, 2)
	for i := 0; i < 2; i++ {
		group.Go(func() error {
			n <- 1
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	<-n
	<-n
}
