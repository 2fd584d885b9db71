// CockroachDB 1462: who is asked to stop takes nothing any more from one who has just looked and goes on to send.
//
// expect: stuck
// blocked: main@wait, producer@send
package cockroach1462

import (
	"sync"
	"testing"
)

type Stopper struct {
	stopper  chan struct{}
	stopped  chan struct{}
	stop     sync.WaitGroup
	mu       sync.Mutex
	drain    *sync.Cond
	draining bool
	numTasks int
}

func NewStopper() *Stopper {
	s := &Stopper{
		stopper: make(chan struct{}),
		stopped: make(chan struct{}),
	}
	s.drain = sync.NewCond(&s.mu)
	return s
}

func (s *Stopper) RunWorker(f func()) {
	s.AddWorker()
	go func() {
		defer s.SetStopped()
		f()
	}()
}

func (s *Stopper) AddWorker() {
	s.stop.Add(1)
}

func (s *Stopper) SetStopped() {
	if s != nil {
		s.stop.Done()
	}
}

func (s *Stopper) ShouldStop() <-chan struct{} {
	if s == nil {
		return nil
	}
	return s.stopper
}

func (s *Stopper) StartTask() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining {
		return false
	}
	s.numTasks++
	return true
}

func (s *Stopper) FinishTask() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.numTasks--
	s.drain.Broadcast()
}

func (s *Stopper) Quiesce() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.draining = true
	for s.numTasks > 0 {
		s.drain.Wait()
	}
}

func (s *Stopper) Stop() {
	s.Quiesce()
	close(s.stopper)
	s.stop.Wait() //@wait
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.stopped)
}

type interceptMessage int

type localInterceptableTransport struct {
	stopper *Stopper
	events  chan interceptMessage
}

func (lt *localInterceptableTransport) start() {
	lt.stopper.RunWorker(func() { // the producer
		for {
			select {
			case <-lt.stopper.ShouldStop():
				return
			default:
				lt.events <- interceptMessage(0) //@send
			}
		}
	})
}

func NewLocalInterceptableTransport(stopper *Stopper) *localInterceptableTransport {
	lt := &localInterceptableTransport{
		stopper: stopper,
		events:  make(chan interceptMessage),
	}
	lt.start()
	return lt
}

func TestCockroach1462(t *testing.T) {
	stopper := NewStopper()
	defer stopper.Stop()
	transport := NewLocalInterceptableTransport(stopper)

	stopper.RunWorker(func() { // the consumer
		for {
			select {
			case _, ok := <-transport.events:
				if !ok {
					return
				}
			case <-stopper.ShouldStop():
				return
			}
		}
	})
}
