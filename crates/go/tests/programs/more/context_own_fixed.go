// As `context_own`, with the error before the end; and what is made from such contexts is over with their errors, and has
// their values.
//
// expect: holds
package own

import (
	"context"
	"errors"
	"testing"
)

var stopped = errors.New("stopped")

type job struct {
	context.Context
	done chan struct{}
	err  error
}

func (j *job) Done() <-chan struct{} { return j.done }

func (j *job) Err() error {
	select {
	case <-j.done:
		return j.err
	default:
		return nil
	}
}

func (j *job) stop() {
	j.err = stopped
	close(j.done)
}

type named struct{ context.Context }

func (n named) Value(key interface{}) interface{} {
	if key == "name" {
		return "n"
	}
	return n.Context.Value(key)
}

func work(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestJob(t *testing.T) {
	j := &job{Context: context.WithValue(context.Background(), "key", 1), done: make(chan struct{})}
	child, cancel := context.WithCancel(context.WithValue(j, "other", 2))
	defer cancel()
	if child.Value("key") != 1 || child.Value("other") != 2 || child.Err() != nil {
		t.Fatal("no value")
	}
	go j.stop()
	if work(child) != stopped || work(j) != stopped {
		t.Fatal("no error")
	}
	inner, end := context.WithCancel(context.Background())
	below, off := context.WithCancel(named{inner})
	defer off()
	end()
	if below.Err() != context.Canceled || below.Value("name") != "n" || below.Value("none") != nil {
		t.Fatal("not over")
	}
}
