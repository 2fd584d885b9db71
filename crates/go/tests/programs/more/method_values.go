// A method value is bound to a copy of its receiver, so that the flag which it sets is another one.
//
// expect: fault
// fault: panic@check
package methodvalues

import (
	"testing"
)

type latch struct {
	done  chan struct{}
	shut  bool
	count int
}

func (l latch) close() {
	l.shut = true
	close(l.done)
}

func each(fs ...func()) {
	for _, f := range fs {
		f()
	}
}

func TestLatch(t *testing.T) {
	l := latch{done: make(chan struct{})}
	add := func() { l.count++ }
	end := l.close
	go each(add, add, end)
	<-l.done
	if !l.shut || l.count != 2 {
		panic("the latch is open") //@check
	}
}
