// The wake-up is kept until it is taken.
//
// expect: holds
package selectdefault

import (
	"testing"
)

func TestWake(t *testing.T) {
	const room = 1
	wake := make(chan struct{}, room)
	go func() { // the sleeper
		<-wake
	}()
	select {
	case wake <- struct{}{}:
	default: // it is awake
	}
}
