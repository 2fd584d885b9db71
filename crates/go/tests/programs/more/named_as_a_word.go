// Variables that begin as words of Go do: what follows an assignment to one is done all the same.
//
// expect: stuck
// blocked: main@second
package main

import "sync"

func main() {
	var mu sync.Mutex
	returned, breaks := false, 0
	func() {
		defer mu.Lock()
		returned = true
		breaks = 1
	}()
	if returned && breaks == 1 {
		mu.Lock() //@second
	}
}
