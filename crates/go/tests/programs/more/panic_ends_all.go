// Who waits for one that panics does not wait for ever: the panic ends the program.
//
// expect: fault
// fault: nothing to send@panic
package main

func main() {
	done := make(chan int)
	other := make(chan int)
	go func() {
		<-other
	}()
	go func() {
		panic("nothing to send") //@panic
	}()
	<-done
}
