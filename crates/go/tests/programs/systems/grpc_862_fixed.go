// A dialer returns for its time is up, and nobody resets the connection that it has begun.
//
// expect: holds
package grpc862

import (
	"context"
	"testing"
	"time"
)

type ClientConn struct {
	ctx    context.Context
	cancel context.CancelFunc
	conns  []*addrConn
}

func (cc *ClientConn) Close() {
	cc.cancel()
	conns := cc.conns
	cc.conns = nil
	for _, ac := range conns {
		ac.tearDown()
	}
}

func (cc *ClientConn) newAddrConn() *addrConn {
	ac := &addrConn{cc: cc}
	ac.ctx, ac.cancel = context.WithCancel(cc.ctx)
	cc.conns = append(cc.conns, ac)
	return ac
}

type addrConn struct {
	cc     *ClientConn
	cancel context.CancelFunc
	ctx    context.Context
}

func (ac *addrConn) resetTransport() {
	for retries := 1; ; retries++ {
		_, cancel := context.WithTimeout(ac.ctx, time.Second)
		select {
		case <-ac.ctx.Done(): //@done
			cancel()
			return
		default:
		}
		<-ac.ctx.Done() //@wait
		cancel()
		return
	}
}

func (ac *addrConn) tearDown() { ac.cancel() }

func DialContext(ctx context.Context) (conn *ClientConn) {
	cc := &ClientConn{}
	cc.ctx, cc.cancel = context.WithCancel(context.Background())
	defer func() {
		select {
		case <-ctx.Done():
			if conn != nil {
				conn.Close()
			}
			conn = nil
		default:
		}
	}()
	ac := cc.newAddrConn()
	go func() { // reset
		ac.resetTransport()
	}()
	conn = cc
	return conn
}

func TestGrpc862(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	go cancel()
	conn := DialContext(ctx)
	if conn != nil {
		conn.cancel()
	}
}
