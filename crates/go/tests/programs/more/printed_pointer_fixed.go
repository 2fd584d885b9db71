// An address is printed without what is there; and what a method makes a string of is read by it alone.
//
// expect: holds
package printedpointer

import "testing"

type connection struct {
	name string
	open bool
}

func (c *connection) String() string { return c.name }

type counter struct{ value int }

func TestPrint(t *testing.T) {
	c := &connection{name: "first", open: true}
	n := &counter{}
	done := make(chan bool)
	go func() {
		c.open = false
		n.value++
		done <- true
	}()
	t.Logf("a connection: %v", c)
	t.Logf("a counter at %p", n)
	<-done
	t.Logf("the counter: %v", n)
}
