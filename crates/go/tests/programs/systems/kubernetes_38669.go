// A watcher sends what was before it began, and then stops where nobody hears.
//
// expect: stuck
// blocked: process@send
package kubernetes38669

import (
	"context"
	"testing"
)

type Event int
type watchCacheEvent int

type cacheWatcher struct {
	input  chan watchCacheEvent
	result chan Event
	done   chan struct{}
}

func (c *cacheWatcher) process(initEvents []watchCacheEvent) {
	for _, event := range initEvents {
		c.sendWatchCacheEvent(&event)
	}
	defer close(c.result)
	defer c.Stop()
	for {
		_, ok := <-c.input
		if !ok {
			return
		}
	}
}

func (c *cacheWatcher) sendWatchCacheEvent(event *watchCacheEvent) {
	c.result <- Event(*event) //@send
}

func (c *cacheWatcher) Stop() {}

func newCacheWatcher(chanSize int, initEvents []watchCacheEvent) *cacheWatcher {
	watcher := &cacheWatcher{
		input:  make(chan watchCacheEvent, chanSize),
		result: make(chan Event, chanSize),
		done:   make(chan struct{}),
	}
	go watcher.process(initEvents)
	return watcher
}

func TestKubernetes38669(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_ = ctx
	initEvents := []watchCacheEvent{1, 2}
	w := newCacheWatcher(0, initEvents)
	close(w.input)
	w.Stop()
}
