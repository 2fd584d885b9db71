// The result of a probe is written when the test has gone on.
//
// expect: race
// race: got, set
package serving6171

import (
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

type probe func() (bool, error)

func TestServing6171(t *testing.T) {
	var grp errgroup.Group
	var result bool
	var count int32
	p := probe(func() (bool, error) {
		atomic.AddInt32(&count, 1)
		return true, nil
	})
	done := make(chan struct{})
	grp.Go(func() error {
		defer close(done)
		ok, err := p()
		result = ok //@set
		return err
	})
	select {
	case <-done:
	case <-time.After(time.Second):
	}
	if result && atomic.LoadInt32(&count) == 0 { //@got
		t.Error("not probed")
	}
	if err := grp.Wait(); err != nil {
		t.Fatal(err)
	}
}
