// The channel is closed once.
//
// expect: holds
package closeofclosed

import (
	"sync"
	"testing"
)

type stopper struct {
	once sync.Once
	done chan struct{}
}

func (s *stopper) stop() {
	s.once.Do(func() { close(s.done) })
}

func TestStop(t *testing.T) {
	s := &stopper{done: make(chan struct{})}
	go s.stop()
	s.stop()
	<-s.done
}
