// A task is started after the stopper has drained, for its wait group is not asked.
//
// expect: fault
// fault: panic@late
package cockroach4407

import (
	"sync"
	"testing"
)

type Stopper struct {
	mu       sync.Mutex
	drain    *sync.Cond
	draining bool
	numTasks int
	stopped  bool
}

func NewStopper() *Stopper {
	s := &Stopper{}
	s.drain = sync.NewCond(&s.mu)
	return s
}

func (s *Stopper) RunTask(f func()) bool {
	if !s.runPrelude() {
		return false
	}
	defer s.runPostlude()
	f()
	return true
}

func (s *Stopper) runPrelude() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.numTasks++
	return true
}

func (s *Stopper) runPostlude() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.numTasks--
	s.drain.Broadcast()
}

func (s *Stopper) Stop() {
	s.mu.Lock()
	s.draining = true
	for s.numTasks > 0 {
		s.drain.Wait()
	}
	s.stopped = true
	s.mu.Unlock()
}

type server struct {
	stopper *Stopper
}

func (s *server) gossip() {
	s.stopper.RunTask(func() {
		s.stopper.mu.Lock()
		defer s.stopper.mu.Unlock()
		if s.stopper.stopped {
			panic("gossiped after the stop") //@late
		}
	})
}

func TestCockroach4407(t *testing.T) {
	s := &server{stopper: NewStopper()}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.gossip()
	}()
	s.stopper.Stop()
	<-done
}
