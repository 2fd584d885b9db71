// A server that a signal ends: it waits for its worker, which waits for the next job.
//
// expect: stuck
// blocked: main@wait, worker@next
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
		for range jobs { //@next
		}
	}()
	<-ctx.Done()
	wg.Wait() //@wait
}
