// Looking and storing are one operation.
//
// expect: holds
package syncmap

import (
	"sync"
	"testing"
)

type flights struct{ m sync.Map }

func (f *flights) channel(id int) chan struct{} {
	c, _ := f.m.LoadOrStore(id, make(chan struct{}))
	return c.(chan struct{})
}

func TestFlights(t *testing.T) {
	f := &flights{}
	go func() { // the waiter
		<-f.channel(1)
	}()
	close(f.channel(1))
}
