// What is assigned to the blank identifier is read all the same.
//
// expect: race
// race: write, read
package blankread

import "testing"

type config struct {
	level int
	name  string
}

func look(name *string) {
	_ = *name //@read
}

func TestLook(t *testing.T) {
	c := &config{}
	done := make(chan bool)
	go func() {
		c.name = "changed" //@write
		done <- true
	}()
	look(&c.name)
	_ = c.level
	<-done
}
