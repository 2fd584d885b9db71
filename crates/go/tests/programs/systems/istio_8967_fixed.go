// A source of files stops its watcher by a field that the loop reads.
//
// expect: holds
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
	wg sync.WaitGroup
}

func (s *fsSource) Start() {
	s.wg.Add(1)
	go func() { // the loop
		defer s.wg.Done()
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
	s.wg.Wait()
	s.donec = nil
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
