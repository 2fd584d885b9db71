// A reporter of statistics is a variable of the package, which each test replaces.
//
// expect: holds
package serving4613

import (
	"testing"
	"time"
)

type Reporter interface {
	ReportQueueDepth(v float64) error
}

type fakeReporter struct{ n int }

func (r *fakeReporter) ReportQueueDepth(v float64) error { return nil }

type nullReporter struct{}

func (nullReporter) ReportQueueDepth(v float64) error { return nil }

var reporter Reporter = nullReporter{}

type queue struct {
	ticker *time.Ticker
	stop   chan struct{}
	done   chan struct{}
}

func (q *queue) loop() {
	defer close(q.done)
	for {
		select {
		case <-q.ticker.C:
			reporter.ReportQueueDepth(1.0) //@used
		case <-q.stop:
			return
		}
	}
}

func TestServing4613(t *testing.T) {
	q := &queue{ticker: time.NewTicker(time.Millisecond), stop: make(chan struct{}), done: make(chan struct{})}
	defer q.ticker.Stop()
	go q.loop()
	close(q.stop)
	<-q.done
	reporter = &fakeReporter{}
}
