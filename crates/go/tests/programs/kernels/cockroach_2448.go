// CockroachDB 2448: a store waits to hand over a callback, and the loop that takes callbacks waits to hand over an event.
//
// expect: stuck
// blocked: start@callback, start@event
package cockroach2448

import (
	"testing"
	"time"
)

type Stopper struct {
	done chan bool
}

func (s *Stopper) ShouldStop() <-chan bool {
	return s.done
}

type EventMembershipChangeCommitted struct {
	Callback func()
}

type MultiRaft struct {
	stopper      *Stopper
	events       chan interface{}
	callbackChan chan func()
}

// sendEvent can be called from the raft loop only.
func (m *MultiRaft) sendEvent(event interface{}) {
	select { //@event
	case m.events <- event:
	case <-m.stopper.ShouldStop():
	}
}

type state struct {
	*MultiRaft
}

func (s *state) start() {
	for {
		select {
		case <-s.stopper.ShouldStop():
			return
		case cb := <-s.callbackChan:
			cb()
		default:
			s.handleWriteResponse()
		}
	}
}

func (s *state) handleWriteResponse() {
	s.sendEvent(&EventMembershipChangeCommitted{
		Callback: func() {
			select { //@callback
			case s.callbackChan <- func() {
				time.Sleep(time.Nanosecond)
			}:
			case <-s.stopper.ShouldStop():
			}
		},
	})
}

type Store struct {
	multiraft *MultiRaft
}

func (s *Store) processRaft() {
	for {
		select {
		case e := <-s.multiraft.events:
			var callback func()
			switch e := e.(type) {
			case *EventMembershipChangeCommitted:
				callback = e.Callback
				if callback != nil {
					callback()
				}
			}
		case <-s.multiraft.stopper.ShouldStop():
			return
		}
	}
}

func NewStoreAndState() (*Store, *state) {
	stopper := &Stopper{done: make(chan bool)}
	mltrft := &MultiRaft{
		stopper:      stopper,
		events:       make(chan interface{}),
		callbackChan: make(chan func()),
	}
	return &Store{mltrft}, &state{mltrft}
}

func TestCockroach2448(t *testing.T) {
	s, st := NewStoreAndState()
	go s.processRaft() // the store
	go st.start()      // the raft loop
}
