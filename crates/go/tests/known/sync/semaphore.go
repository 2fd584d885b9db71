// Package semaphore does what the documentation of golang.org/x/sync/semaphore says, for weights of 1.
package semaphore

import "context"

// Weighted bounds concurrent access to a resource.
type Weighted struct{ taken chan struct{} }

// NewWeighted returns a semaphore with so many permits.
func NewWeighted(n int64) *Weighted { return &Weighted{make(chan struct{}, n)} }

// Acquire waits for a permit, or until the context is done.
func (s *Weighted) Acquire(ctx context.Context, n int64) error {
	select {
	case s.taken <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Release gives a permit back.
func (s *Weighted) Release(n int64) { <-s.taken }
