// A server starts a goroutine for each request, for ever, at most two at a time. There is room for an answer
// that nobody takes.
//
// expect: holds
package serverforever

import (
	"testing"
	"time"
)

type server struct {
	slots chan struct{}
}

func (s *server) answer(reply chan<- int) {
	defer func() { <-s.slots }()
	reply <- 1
}

func (s *server) request() {
	reply := make(chan int, 1)
	go s.answer(reply)
	select {
	case <-reply:
	case <-time.After(time.Second):
	}
}

func (s *server) serve() {
	for {
		s.slots <- struct{}{}
		s.request()
	}
}

func TestServer(t *testing.T) {
	s := &server{make(chan struct{}, 2)}
	go s.serve()
}
