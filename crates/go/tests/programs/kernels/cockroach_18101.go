// CockroachDB 18101: whoever restores ends at the cancellation, and the sender of what is ready knows nothing of it.
//
// expect: stuck
// blocked: sender@send
package cockroach18101

import (
	"context"
	"testing"
)

const chanSize = 6

func restore(ctx context.Context) bool {
	readyForImportCh := make(chan bool, chanSize)
	go func() { // the sender
		defer close(readyForImportCh)
		splitAndScatter(ctx, readyForImportCh)
	}()
	for readyForImportSpan := range readyForImportCh {
		select {
		case <-ctx.Done():
			return readyForImportSpan
		}
	}
	return true
}

func splitAndScatter(ctx context.Context, readyForImportCh chan bool) {
	for i := 0; i < chanSize+2; i++ {
		readyForImportCh <- (false || i != 0) //@send
	}
}

func TestCockroach18101(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	go restore(ctx)
	go cancel()
}
