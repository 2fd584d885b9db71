// A backoff's start is kept in the package, and replaced while a connection is being made.
//
// expect: holds
package grpc1748

import (
	"context"
	"testing"
	"time"
)

var minConnectTimeout = 10 * time.Second

type ClientConn struct {
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
}

func (cc *ClientConn) resetTransport() {
	defer close(cc.done)
	dialDuration := minConnectTimeout //@used
	ctx, cancel := context.WithTimeout(cc.ctx, dialDuration)
	defer cancel()
	<-ctx.Done()
}

func Dial() *ClientConn {
	ctx, cancel := context.WithCancel(context.Background())
	cc := &ClientConn{ctx: ctx, cancel: cancel, done: make(chan struct{})}
	go cc.resetTransport()
	return cc
}

func mutateMinConnectTimeout() func() {
	old := minConnectTimeout
	minConnectTimeout = time.Millisecond * 500
	return func() {
		minConnectTimeout = old //@replaced
	}
}

func TestGrpc1748(t *testing.T) {
	defer mutateMinConnectTimeout()()
	cc := Dial()
	cc.cancel()
	<-cc.done
}
