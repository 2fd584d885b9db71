// Whatever is asked gets a reply.
//
// expect: holds
package typeswitch

import (
	"testing"
)

type request interface{}

type get struct{ reply chan int }
type put struct {
	value int
	reply chan int
}
type reset struct{ reply chan int }

func serve(requests <-chan request) {
	value := 0
	for r := range requests {
		switch m := r.(type) {
		case get:
			m.reply <- value
		case *put:
			value = m.value
			m.reply <- value
		case reset:
			value = 0
			m.reply <- value
		}
	}
}

func TestServe(t *testing.T) {
	requests := make(chan request)
	defer close(requests)
	reply := make(chan int, 1)
	go serve(requests)
	for _, r := range []request{&put{2, reply}, get{reply}, reset{reply}} {
		requests <- r
		<-reply
	}
}
