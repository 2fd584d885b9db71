// A duration is compared, of which nothing is kept: it is always another.
//
// expect: depends
// depends: d == time.Second@test
package main

import "time"

func main() {
	d := 2 * time.Second
	done := make(chan int)
	go func() {
		for i := 0; ; i++ {
			if d == time.Second { //@test
				close(done)
				return
			}
		}
	}()
	<-done
}
