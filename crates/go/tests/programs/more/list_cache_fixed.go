// A cache that forgets what was used longest ago: the lock is given back in any case.
//
// expect: holds
package lru

import (
	"container/list"
	"sync"
	"testing"
)

type entry struct {
	key   string
	value int
}

type cache struct {
	mu    sync.Mutex
	items map[string]*list.Element
	order *list.List
	room  int
}

func (c *cache) get(key string) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[key]; ok {
		c.order.MoveToFront(e)
		return e.Value.(*entry).value, true
	}
	return 0, false
}

func (c *cache) put(key string, value int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[key]; ok {
		e.Value.(*entry).value = value
		return
	}
	c.items[key] = c.order.PushFront(&entry{key, value})
	if c.order.Len() > c.room {
		last := c.order.Remove(c.order.Back()).(*entry)
		delete(c.items, last.key)
	}
}

func TestCache(t *testing.T) {
	c := &cache{items: map[string]*list.Element{}, order: list.New(), room: 1}
	var wg sync.WaitGroup
	for _, key := range []string{"a", "a"} {
		wg.Add(1)
		go func(key string) {
			defer wg.Done()
			c.put(key, 1)
		}(key)
	}
	wg.Wait()
	if v, ok := c.get("a"); !ok || v != 1 || c.order.Len() != 1 {
		t.Fatal("not kept")
	}
	c.put("b", 2)
	if _, ok := c.get("a"); ok || c.order.Front().Value.(*entry).key != "b" {
		t.Fatal("not forgotten")
	}
}
