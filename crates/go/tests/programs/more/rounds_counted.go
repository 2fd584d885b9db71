// Rounds are counted without end, and nothing depends on the number; a time-out of the test is long enough.
//
// expect: holds
package roundscounted

import (
	"fmt"
	"testing"
	"time"
)

func TestB4(t *testing.T) {
	done := make(chan struct{})
	stop := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		for i := 0; ; i++ {
			select {
			case <-ticker.C:
				fmt.Println("round", i)
			case <-stop:
				return
			}
		}
	}()
	close(stop)
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Fatal("too slow")
	}
}
