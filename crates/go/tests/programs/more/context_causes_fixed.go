// Causes of the ends of contexts, deadlines among them, what is called at an end, and what goes on after it.
//
// expect: holds

//go:build go1.22

package causes

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

var broken, late = errors.New("broken"), errors.New("late")

func TestCauses(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.WithValue(context.Background(), "key", 1))
	child, end := context.WithTimeoutCause(ctx, time.Second, late)
	defer end()
	var wg sync.WaitGroup
	wg.Add(1)
	context.AfterFunc(child, wg.Done)
	off := context.AfterFunc(ctx, func() { t.Error("called") })
	if !off() || off() {
		t.Fatal("not off, or twice")
	}
	wg.Add(1)
	go func() {
		defer wg.Done()
		cancel(broken)
	}()
	free := context.WithoutCancel(child)
	wg.Wait()
	cancel(late)
	why := context.Cause(child)
	is := child.Err() == context.DeadlineExceeded
	if context.Cause(ctx) != broken || is && why != late || !is && why != broken {
		t.Fatal("another cause")
	}
	if free.Err() != nil || free.Value("key") != 1 || context.Cause(free) != nil {
		t.Fatal("not free")
	}
	if stop := context.AfterFunc(ctx, func() {}); stop() {
		t.Fatal("stopped too late")
	}
}
