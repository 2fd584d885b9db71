// Statistics of a cache are counted by an atomic and read plainly.
//
// expect: holds
package istio8214

import (
	"sync"
	"sync/atomic"
	"testing"
)

type Stats struct {
	Writes uint64
	Reads  uint64
}

type lru struct {
	sync.RWMutex
	stats Stats
}

func (c *lru) Set(k int) {
	c.Lock()
	defer c.Unlock()
	atomic.AddUint64(&c.stats.Writes, 1) //@add
}

func (c *lru) Stats() Stats {
	return Stats{Writes: atomic.LoadUint64(&c.stats.Writes)}
}

func TestIstio8214(t *testing.T) {
	c := &lru{}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		c.Set(1)
		wg.Done()
	}()
	if c.Stats().Writes > 1 {
		t.Fatal("too many")
	}
	wg.Wait()
}
