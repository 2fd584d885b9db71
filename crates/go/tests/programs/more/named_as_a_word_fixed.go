// As `named_as_a_word`, with the lock given back.
//
// expect: holds
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
	mu.Unlock()
	if returned && breaks == 1 {
		mu.Lock()
	}
}
