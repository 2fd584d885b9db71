// As `notified`: nothing is left to do then, and it is said.
//
// expect: holds
package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	jobs := make(chan int)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for range jobs {
		}
	}()
	<-ctx.Done()
	if ctx.Err() != context.Canceled {
		panic("a signal is no deadline")
	}
	close(jobs)
	wg.Wait()
}
