// The channel of the timer is drained only if there is something in it.
//
// expect: holds
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
	select {
	case <-timer.C:
	default:
	}
}
