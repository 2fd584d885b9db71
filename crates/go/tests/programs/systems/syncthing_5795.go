// A connection closes itself from its reader, and waits for the reader.
//
// expect: stuck
// blocked: dispatcher@wait
package syncthing5795

import (
	"errors"
	"sync"
	"testing"
)

type message int

type Model interface {
	ClusterConfig(message)
	Closed(conn Connection, err error)
}

type TestModel struct {
	ccFn func()
}

func (t *TestModel) ClusterConfig(msg message) {
	if t.ccFn != nil {
		t.ccFn()
	}
}

func (t *TestModel) Closed(conn Connection, err error) {}

type Connection interface {
	Start()
	Close(err error)
}

type rawConnection struct {
	receiver              Model
	inbox                 chan message
	dispatcherLoopStopped chan struct{}
	closed                chan struct{}
	closeOnce             sync.Once
}

func (c *rawConnection) Start() {
	go c.readerLoop()
	go func() { // the dispatcher
		err := c.dispatcherLoop()
		c.Close(err)
	}()
}

func (c *rawConnection) dispatcherLoop() (err error) {
	defer close(c.dispatcherLoopStopped)
	for {
		var msg message
		select {
		case msg = <-c.inbox:
		case <-c.closed:
			return errors.New("closed")
		}
		switch msg {
		case 0:
			c.receiver.ClusterConfig(msg)
		default:
			return errors.New("unknown")
		}
	}
}

func (c *rawConnection) readerLoop() {
	for {
		select {
		case c.inbox <- 0:
		case <-c.closed:
			return
		}
	}
}

func (c *rawConnection) Close(err error) {
	c.closeOnce.Do(func() {
		close(c.closed)
		<-c.dispatcherLoopStopped //@wait
		c.receiver.Closed(c, err)
	})
}

func NewConnection(receiver Model) Connection {
	return &rawConnection{
		receiver:              receiver,
		inbox:                 make(chan message),
		dispatcherLoopStopped: make(chan struct{}),
		closed:                make(chan struct{}),
	}
}

func TestSyncthing5795(t *testing.T) {
	m := &TestModel{}
	c := NewConnection(m)
	m.ccFn = func() {
		c.Close(errors.New("from inside"))
	}
	c.Start()
}
