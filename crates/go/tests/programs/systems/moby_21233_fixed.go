// Transfers: progress is written by one who is not told that the watcher has gone.
//
// expect: holds
package moby21233

import (
	"math/rand"
	"testing"
)

type Progress struct{}
type Output interface {
	WriteProgress(Progress) error
}

type chanOutput chan<- Progress

func (out chanOutput) WriteProgress(p Progress) error {
	out <- p //@progress
	return nil
}

type Watcher struct {
	signalChan  chan struct{}
	releaseChan chan struct{}
	running     chan struct{}
}

func ChanOutput(progressChan chan<- Progress) Output { return chanOutput(progressChan) }

type TransferManager struct{}

func (tm *TransferManager) Transfer(out Output) {
	out.WriteProgress(Progress{})
}

func testTransfer() {
	tm := &TransferManager{}
	progressChan := make(chan Progress)
	progressDone := make(chan struct{})
	go func() { // who reads
		n := rand.Intn(3)
		for p := range progressChan {
			_ = p
			if n > 1 {
				continue
			}
		}
		close(progressDone)
	}()
	for i := 0; i < 2; i++ {
		tm.Transfer(ChanOutput(progressChan))
	}
	close(progressChan)
	<-progressDone //@end
}

func TestMoby21233(t *testing.T) {
	testTransfer()
}
