// Those who are waited for add themselves, perhaps too late.
//
// expect: fault
// fault: send on closed channel@send
package waitgroupadd

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	var wg sync.WaitGroup
	results := make(chan int, 2)
	for i := 0; i < 2; i++ {
		go func(i int) {
			wg.Add(1)
			defer wg.Done()
			results <- i //@send
		}(i)
	}
	wg.Wait()
	close(results)
}
