// A fake clock's channel is made anew while the loop selects on it; the variable of a loop is captured.
//
// expect: race
// race: next, use
package serving6472

import (
	"fmt"
	"sync"
	"testing"
)

type metric struct {
	name string
	val  float64
}

type collection struct {
	sync.RWMutex
	metrics map[string]*metric
}

func (c *collection) record(name string, v float64) {
	c.Lock()
	defer c.Unlock()
	if m, ok := c.metrics[name]; ok {
		m.val += v
		return
	}
	c.metrics[name] = &metric{name, v}
}

func TestServing6472(t *testing.T) {
	c := &collection{metrics: map[string]*metric{}}
	names := []string{"a", "b"}
	wg := sync.WaitGroup{}
	for _, n := range names { //@next
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.record(n, 1.0) //@use
		}()
	}
	wg.Wait()
	c.RLock()
	for _, m := range c.metrics {
		fmt.Println(m.name, m.val)
	}
	c.RUnlock()
}
