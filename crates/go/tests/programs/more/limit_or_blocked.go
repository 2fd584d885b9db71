// A slice that grows beyond what is kept of it does not hide who is blocked on another path.
//
// expect: fault, stuck
// blocked: left@never
// fault: limit of the translation@room
package limitorblocked

import "testing"

func TestMany(t *testing.T) {
	kind := make(chan int, 1)
	select {
	case kind <- 0:
	case kind <- 1:
	}
	switch <-kind {
	case 0:
		var all []int
		for i := 0; i < 100; i++ {
			all = append(all, i) //@room
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
	}
}
