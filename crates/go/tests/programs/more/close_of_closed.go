// Two may close the same channel.
//
// expect: fault
// fault: close of closed channel@close
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
	select {
	case <-s.done:
	default:
		close(s.done) //@close
	}
}

func TestStop(t *testing.T) {
	s := &stopper{done: make(chan struct{})}
	go s.stop()
	s.stop()
	<-s.done
}
