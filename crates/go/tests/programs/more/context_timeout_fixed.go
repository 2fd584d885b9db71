// A worker looks at its context while it hands over, too.
//
// expect: holds
package contexttimeout

import (
	"context"
	"testing"
	"time"
)

func work(ctx context.Context, out chan<- int) {
	for i := 0; i < 2; i++ {
		if ctx.Err() != nil {
			return
		}
		select {
		case out <- i:
		case <-ctx.Done():
		}
	}
}

func TestTimeout(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	out := make(chan int)
	go work(ctx, out)
	for {
		select {
		case <-ctx.Done():
			if err := ctx.Err(); err != context.DeadlineExceeded && err != context.Canceled {
				panic("done for no reason")
			}
			return
		case i := <-out:
			if i == 1 {
				return
			}
		}
	}
}
