// A number of the package is set by a test while a goroutine of the test before still reads it.
//
// expect: holds
package etcd8194

import (
	"sync"
	"testing"
	"time"
)

var leaseRevokeRate = 1000

type Lessor interface {
	Promote()
	Stop()
}

type lessor struct {
	mu    sync.Mutex
	stopC chan struct{}
	doneC chan struct{}
}

func newLessor() *lessor {
	l := &lessor{stopC: make(chan struct{}), doneC: make(chan struct{})}
	go l.runLoop()
	return l
}

func (le *lessor) runLoop() {
	defer close(le.doneC)
	for {
		revokeLimit := leaseRevokeRate / 2 //@read
		if revokeLimit < 1 {
			revokeLimit = 1
		}
		select {
		case <-time.After(500 * time.Millisecond):
		case <-le.stopC:
			return
		}
	}
}

func (le *lessor) Promote() {}

func (le *lessor) Stop() {
	close(le.stopC)
	<-le.doneC
}

func TestEtcd8194(t *testing.T) {
	oldRate := leaseRevokeRate
	leaseRevokeRate = 10
	defer func() { leaseRevokeRate = oldRate }() //@set
	le := newLessor()
	defer le.Stop()
	le.Promote()
}
