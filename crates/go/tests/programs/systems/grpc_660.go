// A benchmark's client stops, and those who do its work wait for one to take the result.
//
// expect: stuck
// blocked: worker@send
// blocked: worker@sendtrue
package grpc660

import (
	"math/rand"
	"testing"
)

type benchmarkClient struct {
	stop chan bool
}

func (bc *benchmarkClient) doCloseLoopUnary() {
	for i := 0; i < 2; i++ {
		done := make(chan bool)
		go func() { // a worker
			if rand.Intn(10) > 7 {
				done <- false //@send
				return
			}
			done <- true //@sendtrue
		}()
		select {
		case <-bc.stop:
			return
		case <-done:
		}
	}
}

func TestGrpc660(t *testing.T) {
	bc := &benchmarkClient{stop: make(chan bool)}
	go bc.doCloseLoopUnary()
	go func() {
		close(bc.stop)
	}()
}
