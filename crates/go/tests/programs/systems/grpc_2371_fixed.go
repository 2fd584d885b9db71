// Two who reset a connection close the same channel.
//
// expect: holds
package grpc2371

import (
	"sync"
	"testing"
)

type ccResolverWrapper struct {
	mu   sync.Mutex
	done chan struct{}
	closed bool
}

func (c *ccResolverWrapper) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.closed = true
	close(c.done)
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
