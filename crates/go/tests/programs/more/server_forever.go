// A server starts a goroutine for each request, for ever. One whose client has gone is left behind.
//
// expect: stuck
// blocked: answer@reply
// blocked: answer@reply*2, serve@slot
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
	reply <- 1 //@reply
}

func (s *server) request() {
	reply := make(chan int)
	go s.answer(reply)
	select {
	case <-reply:
	case <-time.After(time.Second):
	}
}

func (s *server) serve() {
	for {
		s.slots <- struct{}{} //@slot
		s.request()
	}
}

func TestServer(t *testing.T) {
	s := &server{make(chan struct{}, 2)}
	go s.serve()
}
