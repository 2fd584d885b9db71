// A `range` over a number, which came with Go 1.22, as did variables of each round: nothing else has to say so.
//
// expect: holds
// go: 1.22
package main

import "sync"

func main() {
	var wg sync.WaitGroup
	sum := make(chan int, 2)
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			sum <- i
		}()
	}
	wg.Wait()
	if <-sum+<-sum != 1 {
		panic("not each once")
	}
}
