// They are added before they are started.
//
// expect: holds
package waitgroupadd

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	var wg sync.WaitGroup
	results := make(chan int, 2)
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			results <- i
		}(i)
	}
	wg.Wait()
	close(results)
}
