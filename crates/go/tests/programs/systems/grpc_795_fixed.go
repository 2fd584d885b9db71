// A server is stopped twice, and the second one finds the lock taken by the first, which has not given it back.
//
// expect: holds
package grpc795

import (
	"sync"
	"testing"
)

type Server struct {
	mu    sync.Mutex
	drain bool
}

func (s *Server) GracefulStop() {
	s.mu.Lock() //@lock
	if s.drain {
		s.mu.Unlock()
		return
	}
	s.drain = true
	s.mu.Unlock()
}

func (s *Server) Serve() {
	s.mu.Lock() //@serve
	s.mu.Unlock()
}

func NewServer() *Server { return &Server{} }

type test struct {
	srv *Server
}

func (te *test) startServer() {
	s := NewServer()
	te.srv = s
	go s.Serve()
}

func newTest() *test { return &test{} }

func testServerGracefulStopIdempotent() {
	te := newTest()
	te.startServer()
	for i := 0; i < 3; i++ {
		te.srv.GracefulStop()
	}
}

func TestGrpc795(t *testing.T) {
	testServerGracefulStopIdempotent()
}
