// A task is done once, however it ends.
//
// expect: holds
package negativewaitgroup

import (
	"errors"
	"sync"
	"testing"
)

func task(wg *sync.WaitGroup, fail bool) (err error) {
	defer wg.Done()
	if fail {
		return errors.New("failed")
	}
	return nil
}

func TestTasks(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(2)
	go task(&wg, false)
	go task(&wg, true)
	wg.Wait()
}
