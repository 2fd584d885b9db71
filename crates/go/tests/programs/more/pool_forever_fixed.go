// The collector goes on after an error. Nobody ends, and nobody is stuck.
//
// expect: holds
package poolforever

import (
	"math/rand"
	"testing"
)

type result struct {
	job    int
	failed bool
}

func dispatch(jobs chan<- int) {
	for {
		jobs <- 1
	}
}

func work(jobs <-chan int, results chan<- result) {
	for j := range jobs {
		results <- result{j, rand.Intn(2) == 0}
	}
}

func collect(results <-chan result) {
	for r := range results {
		if r.failed {
			continue
		}
	}
}

func TestPool(t *testing.T) {
	jobs := make(chan int)
	results := make(chan result)
	go dispatch(jobs)
	for i := 0; i < 2; i++ {
		go work(jobs, results)
	}
	go collect(results)
}
