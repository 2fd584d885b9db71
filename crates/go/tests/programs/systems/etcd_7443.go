// A balancer tells of its addresses under the lock that the one who is told asks for, too.
//
// expect: stuck
// blocked: up@sent, close@closing
// blocked: up@sent
// blocked: close@closing
package etcd7443

import (
	"context"
	"sync"
	"testing"
)

type Address struct{ Addr string }

type Balancer interface {
	Start()
	Up(addr Address) func(error)
	Notify() <-chan []Address
	Close() error
}

type simpleBalancer struct {
	mu       sync.RWMutex
	closed   bool
	addrs    []Address
	notifyCh chan []Address
	upc      chan struct{}
	pin      string
}

func (b *simpleBalancer) Start() {}

func (b *simpleBalancer) Notify() <-chan []Address { return b.notifyCh }

func (b *simpleBalancer) Up(addr Address) func(error) {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return func(error) {}
	}
	if b.pin == "" {
		b.pin = addr.Addr
		b.notifyCh <- []Address{addr} //@sent
	}
	b.mu.Unlock()
	return func(err error) { b.pin = "" }
}

func (b *simpleBalancer) Close() error {
	b.mu.Lock() //@closing
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	b.closed = true
	close(b.upc)
	close(b.notifyCh)
	return nil
}

type ClientConn struct {
	ctx    context.Context
	cancel context.CancelFunc
	b      Balancer
	wg     sync.WaitGroup
}

func (cc *ClientConn) watcher() {
	for {
		select {
		case addrs, ok := <-cc.b.Notify():
			if !ok {
				return
			}
			for range addrs {
			}
			return
		case <-cc.ctx.Done():
			return
		}
	}
}

func TestEtcd7443(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	b := &simpleBalancer{notifyCh: make(chan []Address), upc: make(chan struct{})}
	cc := &ClientConn{ctx: ctx, cancel: cancel, b: b}
	go cc.watcher()
	go func() {
		b.Up(Address{Addr: "a"})
	}()
	go func() {
		cc.cancel()
		cc.b.Close()
	}()
}
