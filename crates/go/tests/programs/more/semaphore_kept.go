// A permit is not given back when the work fails.
//
// expect: stuck
// blocked: main@acquire
package semaphorekept

import (
	"context"
	"errors"
	"testing"

	"golang.org/x/sync/semaphore"
)

type limiter struct {
	sem *semaphore.Weighted
}

func (l *limiter) do(ctx context.Context, fail bool) error {
	if err := l.sem.Acquire(ctx, 1); err != nil { //@acquire
		return err
	}
	if fail {
		return errors.New("failed")
	}
	l.sem.Release(1)
	return nil
}

func TestLimiter(t *testing.T) {
	l := &limiter{semaphore.NewWeighted(2)}
	ctx := context.Background()
	for _, fail := range []bool{true, false, true, false} {
		l.do(ctx, fail)
	}
}
