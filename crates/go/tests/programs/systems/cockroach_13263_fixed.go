// An error is set by several goroutines of a group, each in the same variable.
//
// expect: holds
package cockroach13263

import (
	"errors"
	"sync"
	"testing"
)

type flow struct{ id int }

func (f *flow) run() error {
	if f.id == 0 {
		return errors.New("no flow")
	}
	return nil
}

func runAll(flows []*flow) (err error) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	wg.Add(len(flows))
	for _, f := range flows {
		go func(f *flow) {
			defer wg.Done()
			e := f.run()
			mu.Lock()
			defer mu.Unlock()
			if e != nil {
				err = e
			}
		}(f)
	}
	wg.Wait()
	return err //@ret
}

func TestCockroach13263(t *testing.T) {
	flows := []*flow{{id: 1}, {id: 2}}
	if err := runAll(flows); err != nil {
		t.Fatal(err)
	}
}
