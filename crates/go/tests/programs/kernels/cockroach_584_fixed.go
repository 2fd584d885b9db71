// CockroachDB 584, fixed: the mutex is unlocked on every way out.
//
// expect: holds
package cockroach584

import (
	"sync"
	"testing"
)

type gossip struct {
	mu     sync.Mutex
	closed bool
}

func (g *gossip) bootstrap() {
	for {
		g.mu.Lock()
		if g.closed {
			g.mu.Unlock()
			break
		}
		g.mu.Unlock()
		break
	}
}

func (g *gossip) manage() {
	for {
		g.mu.Lock()
		if g.closed {
			g.mu.Unlock()
			break
		}
		g.mu.Unlock()
		break
	}
}

func TestCockroach584(t *testing.T) {
	g := &gossip{
		closed: true,
	}
	go func() { // the gossip
		g.bootstrap()
		g.manage()
	}()
}
