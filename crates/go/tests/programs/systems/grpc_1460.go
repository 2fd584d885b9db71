// Keepalive: the lock of the transport is kept while it waits to be awoken, and new streams need the lock.
//
// expect: stuck
// blocked: keepalive@awake, stream@lock
// blocked: keepalive@awake
package grpc1460

import (
	"sync"
	"testing"
)

type Stream struct{}

type http2Client struct {
	mu              sync.Mutex
	awakenKeepalive chan struct{}
	activeStream    []*Stream
}

func (t *http2Client) keepalive() {
	t.mu.Lock()
	if len(t.activeStream) < 1 {
		<-t.awakenKeepalive //@awake
		t.mu.Unlock()
	} else {
		t.mu.Unlock()
	}
}

func (t *http2Client) NewStream() {
	t.mu.Lock() //@lock
	t.activeStream = append(t.activeStream, &Stream{})
	if len(t.activeStream) == 1 {
		select {
		case t.awakenKeepalive <- struct{}{}:
			t.awakenKeepalive <- struct{}{}
		default:
		}
	}
	t.mu.Unlock()
}

func TestGrpc1460(t *testing.T) {
	cl := &http2Client{awakenKeepalive: make(chan struct{})}
	go cl.keepalive()
	go cl.NewStream()
}
