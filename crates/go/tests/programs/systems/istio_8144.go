// An eviction's callback counts without the lock that the test reads under.
//
// expect: race
// race: count, read
// race: count, count
package istio8144

import (
	"sync"
	"testing"
	"time"
)

type EvictionCallback func(key, value interface{})

type ttlCache struct {
	entries  sync.Map
	callback EvictionCallback
	stop     chan bool
	done     chan bool
}

func (c *ttlCache) evicter(interval time.Duration) {
	ticker := time.NewTicker(interval)
	defer close(c.done)
	for {
		select {
		case <-ticker.C:
			c.evictExpired()
		case <-c.stop:
			ticker.Stop()
			return
		}
	}
}

func (c *ttlCache) evictExpired() {
	c.entries.Range(func(key interface{}, value interface{}) bool {
		c.entries.Delete(key)
		c.callback(key, value)
		return true
	})
}

func (c *ttlCache) Set(key, value interface{}) { c.entries.Store(key, value) }

func NewTTLWithCallback(callback EvictionCallback) *ttlCache {
	c := &ttlCache{callback: callback, stop: make(chan bool), done: make(chan bool)}
	go c.evicter(time.Millisecond)
	return c
}

type callbackRecorder struct {
	callbacks int
}

func (c *callbackRecorder) callback(key, value interface{}) {
	c.callbacks++ //@count
}

func TestIstio8144(t *testing.T) {
	rec := &callbackRecorder{}
	c := NewTTLWithCallback(rec.callback)
	c.Set(1, "one")
	time.Sleep(time.Millisecond)
	if rec.callbacks > 1 { //@read
		t.Errorf("%d callbacks", rec.callbacks)
	}
	close(c.stop)
	<-c.done
}
