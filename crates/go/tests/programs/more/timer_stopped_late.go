// A timer may have fired when it is stopped, and then its time is in the channel. Who waits for that in any case is blocked
// if the timer had not fired.
//
// expect: stuck
// blocked: main@late
package timerstoppedlate

import (
	"testing"
	"time"
)

func TestStop(t *testing.T) {
	timer := time.NewTimer(time.Second)
	if !timer.Stop() {
		<-timer.C
	}
	timer.Reset(time.Second)
	timer.Stop()
	<-timer.C //@late
}
