// Goexit runs what is deferred, and nothing else.
//
// expect: stuck
// blocked: main@wait
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
		work()
		wg.Done()
	}()
	wg.Wait() //@wait
}

func work() {
	runtime.Goexit()
}
