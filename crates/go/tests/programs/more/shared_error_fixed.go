// Each has its own variable.
//
// expect: holds
package sharederror

import (
	"errors"
	"sync"
	"testing"
)

func open(ok bool) (int, error) {
	if ok {
		return 1, nil
	}
	return 0, errors.New("closed")
}

func TestErrors(t *testing.T) {
	var wg sync.WaitGroup
	var err error
	wg.Add(2)
	go func() {
		defer wg.Done()
		_, err = open(true)
	}()
	go func() {
		defer wg.Done()
		if _, err := open(false); err == nil {
			panic("open")
		}
	}()
	wg.Wait()
	if err != nil {
		t.Log(err)
	}
}
