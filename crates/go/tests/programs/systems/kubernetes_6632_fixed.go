// SPDY: a frame is written under the lock, for which the one who resets waits, who is waited for by the loop.
//
// expect: holds
package kubernetes6632

import (
	"sync"
	"testing"
)

type Connection struct {
	closeChan chan bool
}

type idleAwareFramer struct {
	resetChan chan bool
	writeLock sync.Mutex
	conn      *Connection
}

func (i *idleAwareFramer) monitor() {
	resetChan := i.resetChan
Loop:
	for {
		select {
		case <-i.conn.closeChan:
			i.writeLock.Lock()
			i.resetChan = nil
			i.writeLock.Unlock()
			break Loop
		case <-resetChan:
		}
	}
}

func (i *idleAwareFramer) WriteFrame() {
	i.writeLock.Lock()
	defer i.writeLock.Unlock()
	if i.resetChan == nil {
		return
	}
	select {
	case i.resetChan <- true:
	case <-i.conn.closeChan:
	}
}

func NewIdleAwareFramer() *idleAwareFramer {
	return &idleAwareFramer{
		resetChan: make(chan bool),
		conn:      &Connection{closeChan: make(chan bool)},
	}
}

func TestKubernetes6632(t *testing.T) {
	i := NewIdleAwareFramer()
	go func() {
		close(i.conn.closeChan)
	}()
	go i.monitor()
	go i.WriteFrame()
}
