// A round robin tells of its addresses, holding its lock, to one who is gone when the connection is lost.
//
// expect: holds
package grpc1353

import (
	"context"
	"sync"
	"testing"
)

type Balancer interface {
	Start()
	Up(addr int) func(error)
	Notify() <-chan int
	Close()
}

type roundRobin struct {
	mu     sync.Mutex
	addrCh chan int
	done   bool
}

func (rr *roundRobin) Start() {
	rr.addrCh = make(chan int, 1)
	go func() {
		for i := 0; i < 2; i++ {
			if err := rr.watchAddrUpdates(i); err != nil {
				return
			}
		}
	}()
}

func (rr *roundRobin) watchAddrUpdates(i int) error {
	rr.mu.Lock()
	if rr.done {
		rr.mu.Unlock()
		return context.Canceled
	}
	rr.mu.Unlock()
	select {
	case rr.addrCh <- i:
	default:
	}
	return nil
}

func (rr *roundRobin) Up(addr int) func(error) {
	return func(err error) {
		rr.down(addr, err)
	}
}

func (rr *roundRobin) down(addr int, err error) {
	rr.mu.Lock() //@lock
	defer rr.mu.Unlock()
}

func (rr *roundRobin) Notify() <-chan int { return rr.addrCh }

func (rr *roundRobin) Close() {
	rr.mu.Lock()
	defer rr.mu.Unlock()
	rr.done = true
}

type addrConn struct {
	mu   sync.Mutex
	down func(error)
}

func (ac *addrConn) tearDown() {
	ac.mu.Lock()
	defer ac.mu.Unlock()
	if ac.down != nil {
		ac.down(nil)
		ac.down = nil
	}
}

type ClientConn struct {
	balancer Balancer
	mu       sync.RWMutex
	conns    map[int]*addrConn
}

func Dial() *ClientConn {
	cc := &ClientConn{conns: make(map[int]*addrConn)}
	cc.balancer = &roundRobin{}
	cc.balancer.Start()
	ac := &addrConn{}
	ac.down = cc.balancer.Up(0)
	cc.conns[0] = ac
	go func() {
		<-cc.balancer.Notify()
		cc.Close()
	}()
	return cc
}

func (cc *ClientConn) Close() {
	cc.mu.Lock()
	defer cc.mu.Unlock()
	conns := cc.conns
	cc.conns = nil
	for _, ac := range conns {
		ac.tearDown()
	}
}

func TestGrpc1353(t *testing.T) {
	Dial()
}
