// The stream is closed by the one who sends.
//
// expect: holds
package sendonclosed

import (
	"testing"
)

type stream struct {
	items chan int
	quit  chan struct{}
}

func (s *stream) send() {
	defer close(s.items)
	for i := 0; i < 2; i++ {
		select {
		case s.items <- i:
		case <-s.quit:
			return
		}
	}
}

func (s *stream) close() {
	close(s.quit)
}

func TestStream(t *testing.T) {
	s := &stream{make(chan int, 1), make(chan struct{})}
	go s.send()
	go s.close()
	for range s.items {
	}
}
