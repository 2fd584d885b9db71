// Two goroutines assign the same variable, which they have captured.
//
// expect: race
// race: first, second
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
		_, err = open(true) //@first
	}()
	go func() {
		defer wg.Done()
		_, err = open(false) //@second
	}()
	wg.Wait()
	if err != nil {
		t.Log(err)
	}
}
