// Who polls can be told to stop.
//
// expect: holds
package ticker

import (
	"testing"
	"time"
)

type poller struct {
	ticker *time.Ticker
	done   chan struct{}
}

func (p *poller) poll() {
	for {
		select {
		case <-p.ticker.C:
		case <-p.done:
			return
		}
	}
}

func (p *poller) stop() {
	p.ticker.Stop()
	close(p.done)
}

func TestTicker(t *testing.T) {
	p := &poller{time.NewTicker(time.Second), make(chan struct{})}
	go p.poll()
	p.stop()
}
