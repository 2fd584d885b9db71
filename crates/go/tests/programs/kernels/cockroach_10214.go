// CockroachDB 10214: coalesced heartbeats are sent under the lock that a ticking replica needs.
//
// expect: stuck
// blocked: sender@raft, ticker@coalesced
package cockroach10214

import (
	"sync"
	"testing"
	"unsafe"
)

type heartbeat struct{ from, to int }

type Store struct {
	coalescedMu struct {
		sync.Mutex
		responses []heartbeat
	}
	mu struct {
		replicas map[int]*Replica
	}
}

type Replica struct {
	store  *Store
	raftMu sync.Mutex
	mu     sync.Mutex
}

func (s *Store) sendQueuedHeartbeats() {
	s.coalescedMu.Lock()
	defer s.coalescedMu.Unlock()
	for i := 0; i < len(s.coalescedMu.responses); i++ {
		s.sendQueuedHeartbeatsToNode(i)
	}
}

func (s *Store) sendQueuedHeartbeatsToNode(node int) {
	for i := 0; i < len(s.mu.replicas); i++ {
		s.mu.replicas[i].reportUnreachable(node)
	}
}

func (r *Replica) reportUnreachable(node int) {
	r.raftMu.Lock() //@raft
	defer r.raftMu.Unlock()
}

func (r *Replica) tick() {
	r.raftMu.Lock()
	defer r.raftMu.Unlock()
	r.tickRaftMuLocked()
}

func (r *Replica) tickRaftMuLocked() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.maybeQuiesceLocked() {
		return
	}
}

func (r *Replica) maybeQuiesceLocked() bool {
	for i := 0; i < 2; i++ {
		if !r.maybeCoalesceHeartbeat() {
			return true
		}
	}
	return false
}

func (r *Replica) maybeCoalesceHeartbeat() bool {
	msgtype := uintptr(unsafe.Pointer(r)) % 3
	switch msgtype {
	case 0, 1, 2:
		r.store.coalescedMu.Lock() //@coalesced
	default:
		return false
	}
	r.store.coalescedMu.Unlock()
	return true
}

func TestCockroach10214(t *testing.T) {
	store := &Store{}
	store.mu.replicas = make(map[int]*Replica)
	rep1 := &Replica{store: store}
	rep2 := &Replica{store: store}
	store.mu.replicas[0] = rep1
	store.mu.replicas[1] = rep2
	store.coalescedMu.responses = []heartbeat{{0, 1}, {1, 0}}

	go func() { // the sender
		store.sendQueuedHeartbeats()
	}()
	go func() { // the ticker
		rep1.tick()
	}()
}
