// A stopped watcher stream is used through an interface whose field another goroutine sets.
//
// expect: race
// race: set, used
// race: set, asked
package etcd4876

import (
	"sync"
	"testing"
)

type Stream interface{ Send(int) error }

type nilStream struct{}

func (nilStream) Send(int) error { return nil }

type watcher struct {
	mu     sync.RWMutex
	stream Stream
	reqc   chan int
	donec  chan struct{}
}

func (w *watcher) openStream() {
	w.stream = nilStream{} //@set
}

func (w *watcher) run() {
	defer close(w.donec)
	for r := range w.reqc {
		if w.stream != nil { //@asked
			w.stream.Send(r) //@used
		}
	}
}

func TestEtcd4876(t *testing.T) {
	w := &watcher{reqc: make(chan int, 1), donec: make(chan struct{})}
	go w.run()
	w.reqc <- 1
	w.openStream()
	close(w.reqc)
	<-w.donec
}
