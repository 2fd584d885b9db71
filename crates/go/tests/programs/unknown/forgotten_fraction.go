// A fraction is compared, of which nothing is kept: it is never so large.
//
// expect: depends
// depends: d > 1.0@test
package main

func main() {
	d := 0.5
	done := make(chan int)
	go func() {
		for {
			if d > 1.0 { //@test
				close(done)
				return
			}
		}
	}()
	<-done
}
