// No error is none of those that are asked for, so the lock is not given back.
//
// expect: stuck
// blocked: main@again
package main

import (
	"errors"
	"sync"
)

var missing = errors.New("missing")

func find(there bool) error {
	if there {
		return nil
	}
	return missing
}

func main() {
	var mu sync.Mutex
	mu.Lock()
	if errors.Is(find(true), missing) {
		mu.Unlock()
	}
	mu.Lock() //@again
}
