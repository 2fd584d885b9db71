// Two ask for the same: what one fetches, both get. A channel is told, and what is forgotten is fetched again.
//
// expect: holds
package main

import (
	"errors"
	"sync"

	"golang.org/x/sync/singleflight"
)

var missing = errors.New("missing")

func main() {
	var g singleflight.Group
	var wg sync.WaitGroup
	fetch := func() (interface{}, error) { return 42, missing }
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			v, err, _ := g.Do("k", fetch)
			if v.(int) != 42 || err != missing {
				panic("not fetched")
			}
		}()
	}
	wg.Wait()
	told := g.DoChan("k", fetch)
	g.Forget("k")
	if r := <-told; r.Val.(int) != 42 || r.Shared {
		panic("not told")
	}
}
