// A follower of logs waits for changes of a file whose watcher it has closed.
//
// expect: holds
package moby27782

import (
	"errors"
	"sync"
	"testing"
)

type Event struct{ Op Op }

type Op uint32

const (
	Create Op = 1 << iota
	Write
	Remove
)

func newEvent(op Op) Event { return Event{op} }

func (e *Event) ignoreLinux(w *Watcher) bool {
	if e.Op != Write {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.cv.Broadcast()
		return true
	}
	return false
}

type Watcher struct {
	Events chan Event
	mu     sync.Mutex
	cv     *sync.Cond
	done   chan struct{}
}

func NewWatcher() *Watcher {
	w := &Watcher{Events: make(chan Event), done: make(chan struct{})}
	w.cv = sync.NewCond(&w.mu)
	go w.readEvents()
	return w
}

func (w *Watcher) readEvents() {
	defer close(w.Events)
	for {
		if w.isClosed() {
			return
		}
		event := newEvent(Write)
		if !event.ignoreLinux(w) {
			select {
			case w.Events <- event: //@notify
			case <-w.done:
				return
			}
		}
	}
}

func (w *Watcher) isClosed() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

func (w *Watcher) Close() {
	if w.isClosed() {
		return
	}
	close(w.done)
}

func (w *Watcher) Remove() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isClosed() {
		return
	}
	w.cv.Wait() //@cond
}

type FileWatcher interface {
	Remove()
	Close()
}

func followLogs(w *Watcher, notifyRotate chan struct{}) error {
	for {
		select {
		case <-notifyRotate:
			w.Close()
			w.Remove()
			return nil
		case e := <-w.Events:
			if e.Op == Remove {
				return errors.New("gone")
			}
		}
	}
}

func TestMoby27782(t *testing.T) {
	w := NewWatcher()
	var fw FileWatcher = w
	_ = fw
	rotate := make(chan struct{})
	go followLogs(w, rotate)
	close(rotate)
}
