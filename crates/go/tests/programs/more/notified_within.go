// A signal that comes before a deadline ends what has the deadline, too, and is none.
//
// expect: fault
// fault: panic@signal
package main

import (
	"context"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	c, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	<-c.Done()
	if c.Err() == context.Canceled {
		panic("signal") //@signal
	}
}
