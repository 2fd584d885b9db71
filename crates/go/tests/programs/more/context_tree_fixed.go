// The context of a request is a child of the server's, three generations down.
//
// expect: holds
package contexttree

import (
	"context"
	"testing"
)

type server struct {
	ctx  context.Context
	stop context.CancelFunc
}

type key struct{}

func newServer() *server {
	ctx, stop := context.WithCancel(context.Background())
	return &server{ctx, stop}
}

func (s *server) handle(name string) {
	base := s.ctx
	ctx, cancel := context.WithCancel(base)
	defer cancel()
	ctx = context.WithValue(ctx, key{}, name)
	inner, cancelInner := context.WithCancel(ctx)
	defer cancelInner()
	<-inner.Done()
	if inner.Err() == nil {
		panic("done without an error")
	}
}

func TestTree(t *testing.T) {
	s := newServer()
	go s.handle("a")
	go s.handle("b")
	s.stop()
}
