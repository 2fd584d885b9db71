// The clock decides, and it goes on: the loop may end at any time.
//
// expect: holds
package main

import "time"

func main() {
	start := time.Now()
	done := make(chan int)
	go func() {
		for time.Since(start) < time.Second {
		}
		close(done)
	}()
	<-done
}
