// A stream is closed while somebody is about to send on it.
//
// expect: fault
// fault: send on closed channel@send
package sendonclosed

import (
	"testing"
)

type stream struct {
	items chan int
	quit  chan struct{}
}

func (s *stream) send() {
	for i := 0; i < 2; i++ {
		select { //@send
		case s.items <- i:
		case <-s.quit:
			return
		}
	}
}

func (s *stream) close() {
	close(s.quit)
	close(s.items)
}

func TestStream(t *testing.T) {
	s := &stream{make(chan int, 1), make(chan struct{})}
	go s.send()
	go s.close()
	for range s.items {
	}
}
