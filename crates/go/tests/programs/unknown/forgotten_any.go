// A number that may be any is compared: nobody chooses it.
//
// expect: depends
// depends: tries > 3@test
package main

func main() {
	//kinfold:any
	tries := 0
	done := make(chan int)
	go func() {
		for {
			tries++
			if tries > 3 { //@test
				close(done)
				return
			}
			tries = 0
		}
	}()
	<-done
}
