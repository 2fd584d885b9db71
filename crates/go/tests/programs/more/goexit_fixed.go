// What has to be done in any case is deferred.
//
// expect: holds
package goexit

import (
	"runtime"
	"sync"
	"testing"
)

func TestGoexit(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		func() {
			defer func() {
				if recover() != nil {
					panic("Goexit is no panic")
				}
			}()
			runtime.Goexit()
		}()
		panic("not reached")
	}()
	go func() {
		defer wg.Done()
		work()
	}()
	wg.Wait()
}

func work() {
	runtime.Goexit()
}
