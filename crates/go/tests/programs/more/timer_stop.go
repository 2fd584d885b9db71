// A timer that has fired, and whose tick was taken, is drained a second time.
//
// expect: stuck
// blocked: main@drain
package timerstop

import (
	"testing"
	"time"
)

func TestTimer(t *testing.T) {
	work := make(chan int)
	go func() {
		work <- 1
	}()
	timer := time.NewTimer(time.Second)
	done := false
	for !done {
		select {
		case <-timer.C:
			timer.Reset(time.Minute)
			<-work
			done = true
		case <-work:
			done = true
		}
	}
	if !timer.Stop() {
		<-timer.C
	}
	if !timer.Stop() {
		<-timer.C //@drain
	}
}
