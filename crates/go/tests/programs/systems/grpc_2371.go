// Two who reset a connection close the same channel.
//
// expect: fault
// fault: close of closed channel@close
package grpc2371

import (
	"sync"
	"testing"
)

type ccResolverWrapper struct {
	mu   sync.Mutex
	done chan struct{}
}

func (c *ccResolverWrapper) close() {
	select {
	case <-c.done:
	default:
		close(c.done) //@close
	}
}

type ClientConn struct{ r *ccResolverWrapper }

func (cc *ClientConn) Close()       { cc.r.close() }
func (cc *ClientConn) exitIdle()    { cc.r.close() }

func TestGrpc2371(t *testing.T) {
	cc := &ClientConn{r: &ccResolverWrapper{done: make(chan struct{})}}
	done := make(chan struct{})
	go func() {
		cc.exitIdle()
		close(done)
	}()
	cc.Close()
	<-done
}
