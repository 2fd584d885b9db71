// Package errgroup does what the documentation of golang.org/x/sync/errgroup says of WithContext, Go and Wait.
package errgroup

import (
	"context"
	"sync"
)

// Group is a collection of goroutines working on parts of the same task.
type Group struct {
	cancel context.CancelFunc
	all    sync.WaitGroup
	first  sync.Once
	err    error
}

// WithContext returns a group, and a context that is cancelled when a task fails or Wait returns.
func WithContext(parent context.Context) (*Group, context.Context) {
	ctx, cancel := context.WithCancel(parent)
	return &Group{cancel: cancel}, ctx
}

// Go starts a task.
func (g *Group) Go(task func() error) {
	g.all.Add(1)
	go func() {
		defer g.all.Done()
		if err := task(); err != nil {
			g.first.Do(func() {
				g.err = err
				if g.cancel != nil {
					g.cancel()
				}
			})
		}
	}()
}

// Wait waits for all tasks, and returns the first error.
func (g *Group) Wait() error {
	g.all.Wait()
	if g.cancel != nil {
		g.cancel()
	}
	return g.err
}
