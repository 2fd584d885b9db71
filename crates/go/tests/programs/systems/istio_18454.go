// A worker processes events from a queue until it is stopped, and a strategy publishes on a timer.
//
// expect: stuck
// blocked: strategy@publish
package istio18454

import (
	"context"
	"sync"
	"testing"
	"time"
)

const eventChCap = 1

type Worker struct {
	ctx       context.Context
	ctxCancel context.CancelFunc
}

func (w *Worker) Start(setupFn func(), runFn func(c context.Context)) {
	if setupFn != nil {
		setupFn()
	}
	go func() {
		runFn(w.ctx)
	}()
}

func (w *Worker) Stop() { w.ctxCancel() }

type Strategy struct {
	timer          *time.Timer
	timerFrequency time.Duration
	stateLock      sync.Mutex
	resetChan      chan struct{}
	worker         *Worker
	startTimerFn   func()
}

func (s *Strategy) OnChange() {
	s.stateLock.Lock()
	if s.timer != nil {
		s.stateLock.Unlock()
		s.resetChan <- struct{}{} //@publish
		return
	}
	s.startTimerFn()
	s.stateLock.Unlock()
}

func (s *Strategy) startTimer() {
	s.timer = time.NewTimer(s.timerFrequency)
	eventLoop := func(ctx context.Context) {
		for {
			select {
			case <-s.timer.C:
			case <-s.resetChan:
			case <-ctx.Done():
				return
			}
		}
	}
	s.worker.Start(nil, eventLoop)
}

func NewStrategy() *Strategy {
	s := &Strategy{
		timerFrequency: time.Nanosecond,
		resetChan:      make(chan struct{}, eventChCap),
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.worker = &Worker{ctx: ctx, ctxCancel: cancel}
	s.startTimerFn = s.startTimer
	return s
}

func (s *Strategy) Close() { s.worker.Stop() }

func TestIstio18454(t *testing.T) {
	s := NewStrategy()
	stop := make(chan struct{})
	go func() { // the strategy
		defer close(stop)
		for i := 0; i < 4; i++ {
			s.OnChange()
		}
	}()
	<-time.After(2 * time.Nanosecond)
	s.Close()
}
