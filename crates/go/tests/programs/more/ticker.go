// Stopping a ticker does not close its channel: who ranges over it waits for ever.
//
// expect: stuck
// blocked: poll@tick
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
	for range p.ticker.C { //@tick
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
