// A fraction is compared, but whoever waits is blocked in any case.
//
// expect: stuck
// blocked: main@wait
package main

func main() {
	d := 0.5
	done := make(chan int)
	go func() {
		if d > 1.0 {
			return
		}
		println("small")
	}()
	<-done //@wait
}
