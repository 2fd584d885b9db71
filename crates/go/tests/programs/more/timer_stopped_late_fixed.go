// A timer that had fired when it was stopped has left its time in the channel, one that had not has left nothing.
//
// expect: holds
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
	select {
	case <-timer.C:
		t.Fatal("it was stopped")
	default:
	}
}
