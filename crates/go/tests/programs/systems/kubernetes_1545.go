// A flag that says that a handler was called is read without being told of it.
//
// expect: race
// race: set, read
package kubernetes1545

import (
	"sync"
	"testing"
	"time"
)

type config struct {
	received bool
	sync     chan struct{}
}

func (c *config) OnUpdate() {
	c.received = true //@set
	close(c.sync)
}

type listener func()

func (l listener) notify() { l() }

func TestKubernetes1545(t *testing.T) {
	var wg sync.WaitGroup
	c := &config{sync: make(chan struct{})}
	l := listener(c.OnUpdate)
	wg.Add(1)
	go func() {
		defer wg.Done()
		l.notify()
	}()
	time.Sleep(1 * time.Millisecond)
	if !c.received { //@read
		t.Log("nothing received")
	}
	wg.Wait()
}
