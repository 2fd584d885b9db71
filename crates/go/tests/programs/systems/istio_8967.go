// A source of files stops its watcher by a field that the loop reads.
//
// expect: race, stuck
// race: nilled, read
// blocked: loop@wait
// blocked: loop@read
package istio8967

import (
	"sync"
	"testing"
	"time"
)

type Source interface {
	Start()
	Stop()
}

type fsSource struct {
	donec chan struct{}
}

func (s *fsSource) Start() {
	go func() { // the loop
		for {
			select { //@wait
			case <-s.donec: //@read
				return
			}
		}
	}()
}

func (s *fsSource) Stop() {
	close(s.donec)
	s.donec = nil //@nilled
}

func newFsSource() *fsSource {
	return &fsSource{donec: make(chan struct{})}
}

func New() Source { return newFsSource() }

func TestIstio8967(t *testing.T) {
	var mu sync.Mutex
	mu.Lock()
	defer mu.Unlock()
	s := New()
	s.Start()
	s.Stop()
	time.Sleep(5 * time.Millisecond)
}
