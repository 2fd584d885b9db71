// When main returns, the program ends, and so do those that it has started, wherever they are. They are looked at
// where that is asked for.
//
// options: --leaks
// expect: stuck
// blocked: work@send
package main

func work(results chan<- int) {
	results <- 1 //@send
}

func main() {
	results := make(chan int)
	go work(results)
}
