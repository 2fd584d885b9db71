// A request's context is made from the background, so that stopping the server does not reach it.
//
// expect: stuck
// blocked: handle@done*2
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
	base := context.Background()
	ctx, cancel := context.WithCancel(base)
	defer cancel()
	ctx = context.WithValue(ctx, key{}, name)
	inner, cancelInner := context.WithCancel(ctx)
	defer cancelInner()
	<-inner.Done() //@done
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
