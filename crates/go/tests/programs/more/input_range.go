// How many there are comes from outside, and may be none.
//
// expect: stuck
// blocked: main@first, feed@send*0..1
package inputrange

import (
	"os"
	"strconv"
	"testing"
)

func count() int {
	n, _ := strconv.Atoi(os.Getenv("COUNT"))
	return n
}

func feed(n int, c chan<- int) {
	for i := 0; i < n; i++ {
		c <- i //@send
	}
}

func TestFeed(t *testing.T) {
	//kinfold:range 0..3
	n := count()
	c := make(chan int)
	go feed(n, c)
	<-c //@first
	for i := 1; i < n; i++ {
		<-c
	}
}
