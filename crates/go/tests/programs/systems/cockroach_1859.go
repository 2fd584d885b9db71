// Intents are resolved by workers that add to the wait group when it is already waited for.
//
// expect: race
// race: appended, appended
package cockroach1859

import (
	"sync"
	"testing"
)

type Key string

type Intent struct {
	key Key
	err error
}

type store struct {
	mu       sync.Mutex
	resolved []Key
}

func (s *store) resolve(in Intent) {
	s.resolved = append(s.resolved, in.key) //@appended
}

func TestCockroach1859(t *testing.T) {
	s := &store{}
	intents := []Intent{{key: "a"}, {key: "b"}}
	var wg sync.WaitGroup
	for i := range intents {
		wg.Add(1)
		go func(in Intent) {
			defer wg.Done()
			s.resolve(in)
		}(intents[i])
	}
	wg.Wait()
	if len(s.resolved) > 2 {
		t.Fatalf("%d resolved", len(s.resolved))
	}
}
