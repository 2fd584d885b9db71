// A task that fails is done twice.
//
// expect: fault
// fault: negative WaitGroup counter@again
// fault: negative WaitGroup counter@first
// fault: negative WaitGroup counter@nil
// fault: negative WaitGroup counter@error
package negativewaitgroup

import (
	"errors"
	"sync"
	"testing"
)

func task(wg *sync.WaitGroup, fail bool) (err error) {
	defer wg.Done() //@again
	if fail {
		wg.Done()                   //@first
		return errors.New("failed") //@error
	}
	return nil //@nil
}

func TestTasks(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(2)
	go task(&wg, false)
	go task(&wg, true)
	wg.Wait()
}
