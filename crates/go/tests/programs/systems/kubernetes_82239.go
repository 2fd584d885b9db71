// A watcher of events is broadcast to while a test replaces the function that hears it.
//
// expect: race
// race: replaced, called
package kubernetes82239

import (
	"sync"
	"testing"
)

type recorder struct {
	sync.Mutex
	onEvent func(string) error
}

func (r *recorder) event(s string) error {
	if r.onEvent != nil { //@called
		return r.onEvent(s)
	}
	return nil
}

type broadcaster struct {
	watchers []chan string
}

func (b *broadcaster) start(f func(string) error) *sync.WaitGroup {
	w := make(chan string, 1)
	b.watchers = append(b.watchers, w)
	wg := &sync.WaitGroup{}
	wg.Add(1)
	go func() {
		defer wg.Done()
		for e := range w {
			f(e)
		}
	}()
	return wg
}

func (b *broadcaster) shutdown() {
	for _, w := range b.watchers {
		close(w)
	}
}

func TestKubernetes82239(t *testing.T) {
	r := &recorder{}
	b := &broadcaster{}
	wg := b.start(r.event)
	b.watchers[0] <- "created"
	r.onEvent = func(s string) error { return nil } //@replaced
	b.shutdown()
	wg.Wait()
}
