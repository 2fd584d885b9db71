// Whoever reads knows how many there are.
//
// expect: holds
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
		c <- i
	}
}

func TestFeed(t *testing.T) {
	//kinfold:range 0..3
	n := count()
	c := make(chan int)
	go feed(n, c)
	for i := 0; i < n; i++ {
		<-c
	}
}
