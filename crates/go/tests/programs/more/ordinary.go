// Ordinary Go, by one goroutine and another: what is asked of each part is what it gives.
//
// expect: holds
package main

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"sync"
)

type Shape interface {
	Area() float64
	Named
}

type Named interface{ Name() string }

type base struct{ name string }

func (b base) Name() string { return b.name }

type square struct {
	base
	side float64
}

func (s square) Area() float64 { return s.side * s.side }

type grid [2][3]int

func (g *grid) each(f func(r, c int, v *int)) {
	for r := range g {
		for c := range g[r] {
			f(r, c, &g[r][c])
		}
	}
}

type stack []int

func (s *stack) push(v ...int) { *s = append(*s, v...) }
func (s *stack) pop() (v int) {
	v, *s = (*s)[len(*s)-1], (*s)[:len(*s)-1]
	return
}

type counter map[string]int

func (c counter) add(words ...string) counter {
	for _, w := range words {
		c[w]++
	}
	return c
}

func classify(n int) (s string) {
	switch {
	case n < 0:
		s = "neg"
	case n == 0:
		s = "zero"
		fallthrough
	case n < 10:
		s += "small"
	default:
		s = "big"
	}
	return
}

func apply(fs ...func(int) int) func(int) int {
	return func(x int) int {
		for _, f := range fs {
			x = f(x)
		}
		return x
	}
}

func divide(a, b int) (q int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
		}
	}()
	return a / b, nil
}

var registry = struct {
	sync.Mutex
	m map[string]func() Shape
}{m: map[string]func() Shape{"sq": func() Shape { return square{base{"sq"}, 2} }}}

func init() {
	registry.Lock()
	defer registry.Unlock()
	registry.m["unit"] = func() Shape { return &square{base: base{"unit"}, side: 1} }
}

func must(ok bool, why string) {
	if !ok {
		fmt.Fprintln(os.Stderr, why)
		panic(why)
	}
}

func main() {
	var g grid
	g.each(func(r, c int, v *int) { *v = r*3 + c })
	must(g[1][2] == 5, "grid")
	h := g
	h[0][0] = 9
	must(g[0][0] == 0 && h != g, "copy")
	var s stack
	s.push(1, 2, 3)
	must(s.pop() == 3 && len(s) == 2, "stack")
	must(counter{}.add("a", "b", "a")["a"] == 2, "counter")
	must(classify(0) == "zerosmall" && classify(11) == "big", "classify")
	inc := func(x int) int { return x + 1 }
	must(apply(inc, inc, func(x int) int { return x * 2 })(1) == 6, "apply")
	_, err := divide(1, 0)
	must(err != nil, "divide")
	q, err := divide(4, 2)
	must(q == 2 && err == nil, "divide ok")
	registry.Lock()
	names := make([]string, 0, len(registry.m))
	for k := range registry.m {
		names = append(names, k)
	}
	registry.Unlock()
	sort.Strings(names)
	must(len(names) == 2, "names")
	var sh Shape = registry.m["sq"]()
	if n, ok := sh.(Named); ok {
		must(n.Name() == "sq", "name")
	}
	matrix := make([][]rune, 2)
	for i := range matrix {
		matrix[i] = []rune{'a', 'b'}
	}
	matrix[1][0], matrix[0][1] = matrix[0][1], matrix[1][0]
	must(matrix[1][0] == 'b', "swap")
	x := 1
	{
		x := 2
		x++
		_ = x
	}
	if x := x + 5; x > 5 {
		must(x == 6, "shadow")
	}
	must(x == 1, "outer")
	var sb strings.Builder
	fmt.Fprintf(&sb, "%d", x)
outer:
	for i := 0; i < 3; i++ {
		for j := 0; ; j++ {
			switch {
			case j == 2:
				continue outer
			case i == 2:
				break outer
			}
		}
	}
	point := struct{ X, Y int }{1, 2}
	pp := &point.Y
	*pp = 7
	must(point.Y == 7, "point")
	ch := make(chan (<-chan int), 1)
	go func() {
		c := make(chan int, 1)
		c <- 5
		ch <- c
	}()
	must(<-<-ch == 5, "chan of chan")
	f := sh.Name
	must(f() == "sq" && square.Name(square{base{"z"}, 0}) == "z", "method values")
	var arr [4]byte
	copy(arr[1:], []byte{1, 2})
	must(arr[2] == 2 && arr[3] == 0, "arr")
	var iface interface{} = point
	if p, ok := iface.(struct{ X, Y int }); ok {
		must(p.Y == 7, "anon")
	}
	type local struct{ n int }
	l := []local{{1}, {2}}
	for i, v := range l {
		v.n = 9
		l[i].n += v.n - 8
	}
	must(l[0].n == 2 && l[1].n == 3, "range copy")
	m := map[struct{ a, b int }]string{{1, 2}: "a"}
	must(m[struct{ a, b int }{1, 2}] == "a", "struct key")
	const big = 1 << 10
	must(big>>3 == 128 && 7&^2 == 5 && -7/2 == -3 && -7%3 == -1, "ints")
}
