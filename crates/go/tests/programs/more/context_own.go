// A context of the program's own, whose error is written while others may read it; who works under it is told, but reads
// what is written at the same time.
//
// expect: race
// race: write, read
package own

import (
	"context"
	"errors"
	"testing"
)

type job struct {
	context.Context
	done chan struct{}
	err  error
}

func (j *job) Done() <-chan struct{} { return j.done }
func (j *job) Err() error            { return j.err } //@read

func (j *job) stop() {
	close(j.done)
	j.err = errors.New("stopped") //@write
}

func work(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestJob(t *testing.T) {
	j := &job{Context: context.Background(), done: make(chan struct{})}
	go j.stop()
	work(j)
}
