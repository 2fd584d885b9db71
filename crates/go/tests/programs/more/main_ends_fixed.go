// Main takes what is sent before it returns.
//
// options: --leaks
// expect: holds
package main

func work(results chan<- int) {
	results <- 1
}

func main() {
	results := make(chan int)
	go work(results)
	<-results
}
