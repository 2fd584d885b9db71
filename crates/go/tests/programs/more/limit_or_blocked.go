// A slice that grows beyond what is kept of it hides neither who is blocked on another path nor a panic there.
//
// expect: fault, stuck
// blocked: left@never
// fault: it is told to stop@panic
package limitorblocked

import "testing"

func TestMany(t *testing.T) {
	kind := make(chan int, 1)
	select {
	case kind <- 0:
	case kind <- 1:
	case kind <- 2:
	}
	switch <-kind {
	case 0:
		var all []int
		for i := 0; i < 100; i++ {
			all = append(all, i)
		}
	case 1:
		never := make(chan int)
		for i := 0; i < 30; i++ {
			kind <- i
			<-kind
		}
		go func() {
			never <- 1 //@never
		}()
	default:
		for i := 0; i < 30; i++ {
			kind <- i
			<-kind
		}
		panic("it is told to stop") //@panic
	}
}
