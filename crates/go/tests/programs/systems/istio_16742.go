// Each proxy's secrets: a slice of clients is appended to by a callback and ranged over by the pusher.
//
// expect: race
// race: append, range
package istio16742

import (
	"sync"
	"testing"
)

type XdsConnection struct {
	node string
	push chan struct{}
}

type DiscoveryServer struct {
	mu      sync.RWMutex
	clients map[string]*XdsConnection
	order   []*XdsConnection
}

func (s *DiscoveryServer) addCon(id string, con *XdsConnection) {
	s.mu.Lock()
	s.clients[id] = con
	s.mu.Unlock()
	s.order = append(s.order, con) //@append
}

func (s *DiscoveryServer) pushAll() int {
	n := 0
	for range s.order { //@range
		n++
	}
	return n
}

func TestIstio16742(t *testing.T) {
	s := &DiscoveryServer{clients: map[string]*XdsConnection{}}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		s.addCon("a", &XdsConnection{node: "a"})
	}()
	if s.pushAll() > 1 {
		t.Fail()
	}
	wg.Wait()
}
