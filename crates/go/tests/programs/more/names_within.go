// Variables of the package with names that what stands for the library has, too.
//
// expect: holds
package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

var n, e, others, off, fire, other, old, x, k, v, i, p, count, mine, fetch int
var c = make(chan int, 1)

type shower interface{ show() int }
type one struct{}

func (one) show() int { return n + x }

func main() {
	var wg sync.WaitGroup
	var s shower = one{}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var a atomic.Int32
	a.Swap(1)
	t := time.NewTimer(time.Second)
	t.Stop()
	wg.Add(1)
	go func() {
		defer wg.Done()
		n++
	}()
	wg.Wait()
	c <- n
	e, others, off, fire, other, old, x, k, v, i, p, count, mine, fetch = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
	<-c
	fmt.Println(s.show(), ctx.Err(), e, others, off, fire, other, old, x, k, v, i, p, count, mine, fetch)
	if e+others+off+fire+other+old+x+k+v+i+p+count+mine+fetch != 14 {
		panic("sum")
	}
}
