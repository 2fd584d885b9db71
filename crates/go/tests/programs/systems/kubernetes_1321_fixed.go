// A mux of watchers: stopping one takes the lock of the mux, which sends to it, holding the lock.
//
// expect: holds
package kubernetes1321

import (
	"sync"
	"testing"
)

type muxWatcher struct {
	result chan struct{}
	m      *Mux
	id     int64
}

func (mw *muxWatcher) Stop() {
	go func() {
		for range mw.result {
		}
	}()
	mw.m.stopWatching(mw.id)
}

type Mux struct {
	lock     sync.Mutex
	watchers map[int64]*muxWatcher
}

func NewMux() *Mux {
	m := &Mux{watchers: map[int64]*muxWatcher{}}
	go m.loop()
	return m
}

func (m *Mux) Watch() *muxWatcher {
	mw := &muxWatcher{
		result: make(chan struct{}),
		m:      m,
		id:     int64(len(m.watchers)),
	}
	m.watchers[mw.id] = mw
	return mw
}

func (m *Mux) loop() {
	for i := 0; i < 2; i++ {
		m.distribute()
	}
}

func (m *Mux) distribute() {
	m.lock.Lock()
	defer m.lock.Unlock()
	for _, w := range m.watchers {
		w.result <- struct{}{} //@send
	}
}

func (m *Mux) stopWatching(id int64) {
	m.lock.Lock() //@lock
	defer m.lock.Unlock()
	w, ok := m.watchers[id]
	if !ok {
		return
	}
	delete(m.watchers, id)
	close(w.result)
}

func testMuxWatcherClose() {
	m := &Mux{watchers: map[int64]*muxWatcher{}}
	w := m.Watch()
	go m.loop()
	w.Stop()
}

func TestKubernetes1321(t *testing.T) {
	go testMuxWatcherClose()
}
