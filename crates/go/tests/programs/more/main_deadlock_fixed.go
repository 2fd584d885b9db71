// The mutex is unlocked before main waits. When main returns, the other one, which waits for ever, ends.
//
// expect: holds
package main

import (
	"sync"
)

func work(mu *sync.Mutex, done chan struct{}) {
	mu.Lock()
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
	go idle()
	mu.Unlock()
	<-done
}
