// Package heap: a slice as a tree, in which nobody is less than the one above.
package heap

import "sort"

type Interface interface {
	sort.Interface
	Push(x any)
	Pop() any
}

func Init(h Interface) {
	n := h.Len()
	for i := n/2 - 1; i >= 0; i-- {
		down(h, i, n)
	}
}

func Push(h Interface, x any) {
	h.Push(x)
	up(h, h.Len()-1)
}

func Pop(h Interface) any {
	n := h.Len() - 1
	h.Swap(0, n)
	down(h, 0, n)
	return h.Pop()
}

func Remove(h Interface, i int) any {
	n := h.Len() - 1
	if n != i {
		h.Swap(i, n)
		if !down(h, i, n) {
			up(h, i)
		}
	}
	return h.Pop()
}

func Fix(h Interface, i int) {
	if !down(h, i, h.Len()) {
		up(h, i)
	}
}

func up(h Interface, at int) {
	for at > 0 {
		above := (at - 1) / 2
		if !h.Less(at, above) {
			return
		}
		h.Swap(above, at)
		at = above
	}
}

// Whether it has gone down.
func down(h Interface, from, n int) bool {
	at := from
	for {
		least := 2*at + 1
		if least >= n || least < 0 {
			break
		}
		if other := least + 1; other < n && h.Less(other, least) {
			least = other
		}
		if !h.Less(least, at) {
			break
		}
		h.Swap(at, least)
		at = least
	}
	return at > from
}
