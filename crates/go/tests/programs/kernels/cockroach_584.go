// CockroachDB 584: a closed gossip is left with its mutex locked, and locked again.
//
// expect: stuck
// blocked: gossip@manage
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
			break
		}
		g.mu.Unlock()
		break
	}
}

func (g *gossip) manage() {
	for {
		g.mu.Lock() //@manage
		if g.closed {
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
