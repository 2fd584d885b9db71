// A prober's table of targets is read without the lock that it is written under.
//
// expect: race
// race: load, store
package serving5865

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
)

type revisionThrottler struct {
	capacity int32
	podIPs   []string
	mu       sync.RWMutex
}

func (rt *revisionThrottler) update(ips []string) {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	rt.podIPs = ips //@store
	atomic.StoreInt32(&rt.capacity, int32(len(ips)))
}

func (rt *revisionThrottler) pick(ctx context.Context) string {
	if atomic.LoadInt32(&rt.capacity) == 0 {
		return ""
	}
	if len(rt.podIPs) == 0 { //@load
		return ""
	}
	return "x"
}

func TestServing5865(t *testing.T) {
	rt := &revisionThrottler{}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	updates := make(chan []string)
	go func() {
		for {
			select {
			case ips := <-updates:
				rt.update(ips)
			case <-ctx.Done():
				return
			}
		}
	}()
	updates <- []string{"1.1.1.1"}
	updates <- []string{"1.1.1.1", "2.2.2.2"}
	if rt.pick(ctx) == "y" {
		t.Error("picked y")
	}
}
