// A struct is a context by the one that is embedded in it, which nobody cancels.
//
// expect: stuck
// blocked: stream@wait
package contextembedded

import (
	"context"
	"testing"
	"time"
)

type transportCtx struct {
	context.Context
	method string
}

type stream struct {
	ctx  context.Context
	done chan struct{}
}

func (s *stream) run() {
	defer close(s.done)
	<-s.ctx.Done() //@wait
}

func newCtx(parent context.Context, m string) context.Context {
	return &transportCtx{Context: parent, method: m}
}

func TestC2(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := &stream{ctx: newCtx(ctx, "get"), done: make(chan struct{})}
	go s.run()
	time.AfterFunc(time.Second, func() {})
	_ = cancel
}
