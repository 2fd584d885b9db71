// Dialing with a balancer that is closed before it has told of any address.
//
// expect: holds
package grpc1424

import (
	"errors"
	"sync"
	"testing"
)

type Balancer interface {
	Notify() <-chan bool
}

type roundRobin struct {
	mu     sync.Mutex
	addrCh chan bool
}

func (rr *roundRobin) Notify() <-chan bool { return rr.addrCh }

type DialOption func(*dialOptions)

type dialOptions struct {
	balancer Balancer
}

func WithBalancer(b Balancer) DialOption {
	return func(o *dialOptions) { o.balancer = b }
}

type addrConn struct{ mu sync.Mutex }

type ClientConn struct {
	dopts dialOptions
	conns []*addrConn
}

func (cc *ClientConn) lbWatcher(doneChan chan bool) {
	for addr := range cc.dopts.balancer.Notify() {
		if addr {
		}
		var added []int
		_ = added
		if doneChan != nil {
			close(doneChan)
			doneChan = nil
		}
	}
	if doneChan != nil {
		close(doneChan)
	}
}

func DialContext(opts ...DialOption) error {
	cc := &ClientConn{}
	for _, opt := range opts {
		opt(&cc.dopts)
	}
	if cc.dopts.balancer == nil {
		return errors.New("no balancer")
	}
	waitC := make(chan error, 1)
	go func() { // the dial
		defer close(waitC)
		ch := cc.dopts.balancer.Notify()
		if ch != nil {
			doneChan := make(chan bool)
			go cc.lbWatcher(doneChan)
			<-doneChan //@wait
		}
	}()
	if err := <-waitC; err != nil { //@all
		return err
	}
	return nil
}

func TestGrpc1424(t *testing.T) {
	r := &roundRobin{addrCh: make(chan bool)}
	close(r.addrCh)
	if err := DialContext(WithBalancer(r)); err != nil {
		t.Log(err)
	}
}
