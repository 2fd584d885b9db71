// CockroachDB 10790: a replica that gives up leaves someone behind to take what nobody sends any more.
//
// The fix watches the context, as the sender does, and leaves nobody behind.
//
// expect: stuck
// blocked: drainer@first
// blocked: drainer@second
// blocked: drainer@first*2
// blocked: drainer@first, drainer@second
package cockroach10790

import (
	"context"
	"sync"
	"testing"
)

type Replica struct {
	chans []chan bool
}

func (r *Replica) beginCmds(ctx context.Context) {
	for _, ch := range r.chans {
		select {
		case <-ch:
		case <-ctx.Done():
			go func() { // a drainer
				<-r.chans[0] //@first
				<-r.chans[1] //@second
			}()
		}
	}
}

func (r *Replica) sendChans(ctx context.Context) {
	for _, ch := range r.chans {
		select {
		case ch <- true:
		case <-ctx.Done():
			return
		}
	}
}

type Stopper struct {
	quiescer chan struct{}
	mu       struct {
		sync.Mutex
		quiescing bool
	}
}

func (s *Stopper) Quiesce() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.mu.quiescing {
		s.mu.quiescing = true
		close(s.quiescer)
	}
}

func NewReplica() *Replica {
	r := &Replica{}
	r.chans = append(r.chans, make(chan bool))
	r.chans = append(r.chans, make(chan bool))
	return r
}

func TestCockroach10790(t *testing.T) {
	r := NewReplica()
	ctx, cancel := context.WithCancel(context.Background())
	s := &Stopper{quiescer: make(chan struct{})}
	go r.sendChans(ctx)
	go r.beginCmds(ctx)
	go cancel()
	s.Quiesce()
}
