// A client that is closed is found out under a read lock, which is then kept.
//
// expect: stuck
// blocked: main@again
package etcd5509

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
)

var ErrConnClosed = errors.New("connection closed")

type Client struct {
	mu     sync.RWMutex
	ctx    context.Context
	cancel context.CancelFunc
}

func (c *Client) Close() {
	c.mu.Lock()
	if c.cancel == nil {
		c.mu.Unlock()
		return
	}
	c.cancel()
	c.cancel = nil
	c.mu.Unlock()
	c.mu.Lock() //@again
	defer c.mu.Unlock()
}

type remoteClient struct {
	client *Client
	mu     sync.Mutex
}

func (r *remoteClient) acquire(ctx context.Context) error {
	for {
		r.client.mu.RLock()
		closed := r.client.cancel == nil
		r.mu.Lock()
		r.mu.Unlock()
		if closed {
			return ErrConnClosed
		}
		r.client.mu.RUnlock()
		runtime.Gosched()
	}
}

type KV interface {
	Get(ctx context.Context) error
}

type kv struct {
	rc *remoteClient
}

func (k *kv) Get(ctx context.Context) error { return k.do(ctx) }

func (k *kv) do(ctx context.Context) error {
	for {
		err := k.rc.acquire(ctx)
		if err == nil {
			return nil
		}
		return err
	}
}

func NewKV(c *Client) KV {
	return &kv{rc: &remoteClient{client: c}}
}

func TestEtcd5509(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cli := &Client{ctx: ctx, cancel: cancel}
	kv := NewKV(cli)
	donec := make(chan struct{})
	go func() {
		defer close(donec)
		if err := kv.Get(context.TODO()); err != nil && err != ErrConnClosed {
			t.Errorf("expected %v, got %v", ErrConnClosed, err)
		}
	}()
	runtime.Gosched()
	cli.Close()
	<-donec
}
