// The worker is told.
//
// options: --leaks
// expect: holds
package main

import (
	"os"
	"os/signal"
)

func work(jobs <-chan int, done chan<- struct{}) {
	for range jobs {
	}
	done <- struct{}{}
}

func main() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	jobs := make(chan int)
	done := make(chan struct{}, 1)
	go work(jobs, done)
	for {
		select {
		case jobs <- 1:
		case <-signals:
			signal.Stop(signals)
			close(jobs)
			<-done
			return
		}
	}
}
