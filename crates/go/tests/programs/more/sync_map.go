// Two who want the same flight look, find none, and each store their own; who waits at the lost one waits for ever.
//
// expect: stuck
// blocked: waiter@wait
package syncmap

import (
	"sync"
	"testing"
)

type flights struct{ m sync.Map }

func (f *flights) channel(id int) chan struct{} {
	if c, ok := f.m.Load(id); ok {
		return c.(chan struct{})
	}
	c := make(chan struct{})
	f.m.Store(id, c)
	return c
}

func TestFlights(t *testing.T) {
	f := &flights{}
	go func() { // the waiter
		<-f.channel(1) //@wait
	}()
	close(f.channel(1))
}
