// The state of containers: a function under a read lock calls another that takes the read lock.
//
// expect: holds
package kubernetes62464

import (
	"math/rand"
	"sync"
	"testing"
)

type State interface {
	GetCPUSetOrDefault()
	GetCPUSet() bool
	GetDefaultCPUSet()
	SetDefaultCPUSet()
}

type stateMemory struct {
	sync.RWMutex
}

func (s *stateMemory) GetCPUSetOrDefault() {
	if ok := s.GetCPUSet(); ok {
		return
	}
	s.GetDefaultCPUSet()
}

func (s *stateMemory) GetCPUSet() bool {
	s.RLock() //@inner
	defer s.RUnlock()
	return rand.Intn(10) > 5
}

func (s *stateMemory) GetDefaultCPUSet() {
	s.RLock() //@default
	defer s.RUnlock()
}

func (s *stateMemory) SetDefaultCPUSet() {
	s.Lock() //@write
	defer s.Unlock()
}

type staticPolicy struct{}

func (p *staticPolicy) RemoveContainer(s State) { s.SetDefaultCPUSet() }

type Policy interface {
	RemoveContainer(s State)
}

type manager struct {
	state  *stateMemory
	policy Policy
}

func (m *manager) reconcileState() { m.state.GetCPUSetOrDefault() }
func (m *manager) RemoveContainer() { m.policy.RemoveContainer(m.state) }

func TestKubernetes62464(t *testing.T) {
	m := &manager{&stateMemory{}, &staticPolicy{}}
	go m.reconcileState()
	go m.RemoveContainer()
}
