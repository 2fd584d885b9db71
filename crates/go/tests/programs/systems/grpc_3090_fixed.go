// A resolver's wrapper is given to the one who builds it before it is stored where it is used.
//
// expect: holds
package grpc3090

import (
	"sync"
	"testing"
)

type State struct{}

type Resolver interface{ ResolveNow() }

type ClientConn interface{ UpdateState(State) }

type Builder interface {
	Build(cc ClientConn) Resolver
}

type manual struct {
	wg *sync.WaitGroup
}

func (r *manual) Build(cc ClientConn) Resolver {
	r.wg.Add(1)
	go func() {
		defer r.wg.Done()
		cc.UpdateState(State{})
	}()
	return r
}

func (r *manual) ResolveNow() {}

type ccResolverWrapper struct {
	mu sync.Mutex
	resolver Resolver
}

func (ccr *ccResolverWrapper) UpdateState(s State) {
	ccr.mu.Lock()
	defer ccr.mu.Unlock()
	if ccr.resolver != nil { //@asked
		ccr.resolver.ResolveNow() //@used
	}
}

func newCCResolverWrapper(b Builder) *ccResolverWrapper {
	ccr := &ccResolverWrapper{}
	ccr.mu.Lock()
	defer ccr.mu.Unlock()
	ccr.resolver = b.Build(ccr) //@stored
	return ccr
}

func TestGrpc3090(t *testing.T) {
	var wg sync.WaitGroup
	newCCResolverWrapper(&manual{wg: &wg})
	wg.Wait()
}
