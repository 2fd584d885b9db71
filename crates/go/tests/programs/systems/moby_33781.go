// A probe of health takes as long as its timeout allows, and its result comes when nobody asks any more.
//
// expect: stuck
// blocked: probe@result
package moby33781

import (
	"context"
	"testing"
	"time"
)

func monitor(stop chan bool) {
	probeInterval := time.Millisecond
	probeTimeout := time.Millisecond
	for i := 0; i < 2; i++ {
		select {
		case <-stop:
			return
		case <-time.After(probeInterval):
			results := make(chan bool)
			ctx, cancelProbe := context.WithTimeout(context.Background(), probeTimeout)
			go func() { // the probe
				results <- true //@result
				close(results)
			}()
			select {
			case <-stop:
				cancelProbe()
				return
			case <-results:
				cancelProbe()
			case <-ctx.Done():
				cancelProbe()
				<-results
			}
		}
	}
}

func TestMoby33781(t *testing.T) {
	stop := make(chan bool)
	go monitor(stop)
	go func() {
		time.Sleep(50 * time.Millisecond)
		close(stop)
	}()
}
