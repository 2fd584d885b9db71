// A wake-up is dropped because nobody waits for it yet.
//
// expect: stuck
// blocked: sleeper@wake
package selectdefault

import (
	"testing"
)

func TestWake(t *testing.T) {
	const room = 0
	wake := make(chan struct{}, room)
	go func() { // the sleeper
		<-wake //@wake
	}()
	select {
	case wake <- struct{}{}:
	default: // it is awake
	}
}
