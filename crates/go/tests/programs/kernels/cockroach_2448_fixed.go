// CockroachDB 2448, fixed: the raft loop offers its event where it takes callbacks, and never waits with the event alone.
//
// No run of it ends: store and raft loop go round for ever.
//
// expect: holds
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
		case s.events <- s.writeResponse():
		}
	}
}

func (s *state) writeResponse() interface{} {
	return &EventMembershipChangeCommitted{
		Callback: func() {
			select {
			case s.callbackChan <- func() {
				time.Sleep(time.Nanosecond)
			}:
			case <-s.stopper.ShouldStop():
			}
		},
	}
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
