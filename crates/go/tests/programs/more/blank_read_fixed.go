// What is assigned to the blank identifier is read when the other one is done.
//
// expect: holds
package blankread

import "testing"

type config struct {
	level int
	name  string
}

func look(name *string) {
	_ = *name
}

func TestLook(t *testing.T) {
	c := &config{}
	done := make(chan bool)
	go func() {
		c.name = "changed"
		done <- true
	}()
	_ = c.level
	<-done
	look(&c.name)
}
