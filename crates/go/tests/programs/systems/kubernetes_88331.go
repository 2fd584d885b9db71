// A timer's function writes what the test reads once it has stopped the timer.
//
// expect: race
// race: write, read
package kubernetes88331

import (
	"sync"
	"testing"
	"time"
)

type heartbeat struct {
	mu    sync.Mutex
	beats int
	timer *time.Timer
}

func (h *heartbeat) start() {
	h.timer = time.AfterFunc(time.Millisecond, func() {
		h.beats++ //@write
	})
}

func (h *heartbeat) stop() int {
	h.timer.Stop()
	return h.beats //@read
}

func TestKubernetes88331(t *testing.T) {
	h := &heartbeat{}
	h.start()
	if h.stop() > 1 {
		t.Fatal("more than one")
	}
}
