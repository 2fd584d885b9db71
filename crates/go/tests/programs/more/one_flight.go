// Two ask for the same, and one fetches it; who fetches asks for another key that itself asks for the first.
//
// expect: stuck
// blocked: main@wait, func1@first, func2@second
package main

import (
	"sync"

	"golang.org/x/sync/singleflight"
)

func main() {
	var g singleflight.Group
	var wg sync.WaitGroup
	none := func() (interface{}, error) { return 0, nil }
	wg.Add(2)
	go func() {
		defer wg.Done()
		g.Do("a", func() (interface{}, error) {
			v, err, _ := g.Do("b", none) //@first
			return v, err
		})
	}()
	go func() {
		defer wg.Done()
		g.Do("b", func() (interface{}, error) {
			v, err, _ := g.Do("a", none) //@second
			return v, err
		})
	}()
	wg.Wait() //@wait
}
