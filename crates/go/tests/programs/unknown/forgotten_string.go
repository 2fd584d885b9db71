// Strings that are put together are compared, of which nothing is kept: they differ.
//
// expect: depends
// depends: s == "stop"@test
package main

import "fmt"

func main() {
	s := fmt.Sprint("a", "b")
	done := make(chan int)
	go func() {
		for {
			if s == "stop" { //@test
				close(done)
				return
			}
		}
	}()
	<-done
}
