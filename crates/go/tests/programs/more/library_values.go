// What is done once and asked for by two, of which one panics where the other has.
//
// expect: fault
// fault: panic@once

//go:build go1.22

package values

import (
	"sync"
	"testing"
)

func TestValues(t *testing.T) {
	var wg sync.WaitGroup
	get := sync.OnceValue(func() int {
		panic("none") //@once
	})
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			get()
		}()
	}
	wg.Wait()
}
