// A pool serves for ever, until the collector of its results leaves after an error.
//
// expect: stuck
// blocked: dispatch@job, work@result*2
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
		jobs <- 1 //@job
	}
}

func work(jobs <-chan int, results chan<- result) {
	for j := range jobs {
		results <- result{j, rand.Intn(2) == 0} //@result
	}
}

func collect(results <-chan result) {
	for r := range results {
		if r.failed {
			return
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
