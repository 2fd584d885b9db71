// The length of a string is compared, of which nothing is kept: it is longer than the numbers that are tried elsewhere.
//
// expect: depends
// depends: len(s) < 5@test
// blocked: main@wait
package main

import "fmt"

func main() {
	s := fmt.Sprint(1234567)
	done := make(chan int)
	go func() {
		if len(s) < 5 { //@test
			close(done)
		}
	}()
	<-done //@wait
}
