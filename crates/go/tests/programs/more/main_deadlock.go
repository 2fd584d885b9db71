// All goroutines are asleep.
//
// expect: stuck
// blocked: main@wait, work@lock
package main

import (
	"sync"
)

func work(mu *sync.Mutex, done chan struct{}) {
	mu.Lock() //@lock
	defer mu.Unlock()
	close(done)
}

func idle() {
	select {}
}

func main() {
	var mu sync.Mutex
	done := make(chan struct{})
	mu.Lock()
	go work(&mu, done)
	<-done //@wait
	mu.Unlock()
}
