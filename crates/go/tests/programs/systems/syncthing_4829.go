// A mapping of addresses clears itself under its lock, and tells a listener who asks for it.
//
// expect: stuck
// blocked: main@read
package syncthing4829

import (
	"sync"
	"testing"
	"time"
)

type Address int

type Mapping struct {
	mut         sync.RWMutex
	extAddresses map[string]Address
	expires     time.Time
	subscribers []func(*Mapping)
}

func (m *Mapping) clearAddresses() {
	m.mut.Lock() //@lock
	var removed []Address
	for id, addr := range m.extAddresses {
		removed = append(removed, addr)
		delete(m.extAddresses, id)
	}
	if len(removed) > 0 {
		m.notify(nil, removed)
	}
	m.expires = time.Time{}
	m.mut.Unlock()
}

func (m *Mapping) notify(added, removed []Address) {
	m.mut.RLock() //@read
	defer m.mut.RUnlock()
	for _, s := range m.subscribers {
		s(m)
	}
}

type Service struct {
	mut      sync.RWMutex
	mappings []*Mapping
}

func (s *Service) NewMapping() *Mapping {
	m := &Mapping{extAddresses: make(map[string]Address)}
	s.mut.Lock()
	s.mappings = append(s.mappings, m)
	s.mut.Unlock()
	return m
}

func (s *Service) RemoveMapping(mapping *Mapping) {
	s.mut.Lock()
	defer s.mut.Unlock()
	for i, existing := range s.mappings {
		if existing == mapping {
			mapping.clearAddresses()
			last := len(s.mappings) - 1
			s.mappings[i] = s.mappings[last]
			s.mappings[last] = nil
			s.mappings = s.mappings[:last]
			return
		}
	}
}

func NewService() *Service { return &Service{} }

func TestSyncthing4829(t *testing.T) {
	natSvc := NewService()
	m := natSvc.NewMapping()
	m.extAddresses["test"] = 0
	natSvc.RemoveMapping(m)
}
