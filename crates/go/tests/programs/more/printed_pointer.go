// Printing a pointer to a struct reads the struct.
//
// expect: race
// race: write, read
package printedpointer

import "testing"

type connection struct {
	name string
	open bool
}

func TestPrint(t *testing.T) {
	c := &connection{name: "first", open: true}
	done := make(chan bool)
	go func() {
		c.open = false //@write
		done <- true
	}()
	t.Logf("a connection: %v", c) //@read
	<-done
}
