// Package slices. What is sorted is sorted by insertion, which is stable.
package slices

import "cmp"
import "iter"

func Contains[S ~[]E, E comparable](s S, v E) bool {
	return Index(s, v) >= 0
}

func ContainsFunc[S ~[]E, E any](s S, f func(E) bool) bool {
	return IndexFunc(s, f) >= 0
}

func Index[S ~[]E, E comparable](s S, v E) int {
	for i := 0; i < len(s); i++ {
		if s[i] == v {
			return i
		}
	}
	return -1
}

func IndexFunc[S ~[]E, E any](s S, f func(E) bool) int {
	for i := 0; i < len(s); i++ {
		if f(s[i]) {
			return i
		}
	}
	return -1
}

func Equal[S ~[]E, E comparable](a, b S) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func Sort[S ~[]E, E cmp.Ordered](s S) {
	for i := 1; i < len(s); i++ {
		for j := i; j > 0 && s[j] < s[j-1]; j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
}

func SortFunc[S ~[]E, E any](s S, order func(a, b E) int) {
	for i := 1; i < len(s); i++ {
		for j := i; j > 0 && order(s[j], s[j-1]) < 0; j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
}

func SortStableFunc[S ~[]E, E any](s S, order func(a, b E) int) {
	SortFunc(s, order)
}

func IsSorted[S ~[]E, E cmp.Ordered](s S) bool {
	for i := len(s) - 1; i > 0; i-- {
		if s[i] < s[i-1] {
			return false
		}
	}
	return true
}

func BinarySearch[S ~[]E, E cmp.Ordered](s S, v E) (int, bool) {
	low, high := 0, len(s)
	for low < high {
		middle := (low + high) / 2
		if s[middle] < v {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(s) && s[low] == v
}

func Reverse[S ~[]E, E any](s S) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}

func Max[S ~[]E, E cmp.Ordered](s S) E {
	if len(s) == 0 {
		panic("slices.Max: empty list")
	}
	most := s[0]
	for i := 1; i < len(s); i++ {
		if s[i] > most {
			most = s[i]
		}
	}
	return most
}

func Min[S ~[]E, E cmp.Ordered](s S) E {
	if len(s) == 0 {
		panic("slices.Min: empty list")
	}
	least := s[0]
	for i := 1; i < len(s); i++ {
		if s[i] < least {
			least = s[i]
		}
	}
	return least
}

func Clone[S ~[]E, E any](s S) S {
	if s == nil {
		return nil
	}
	made := make(S, len(s))
	copy(made, s)
	return made
}

// Elements are moved to the left, and those that are left over are zero.
func Delete[S ~[]E, E any](s S, from, to int) S {
	_ = s[from:to:len(s)]
	n := len(s) - (to - from)
	copy(s[from:], s[to:])
	var zero E
	for i := n; i < len(s); i++ {
		s[i] = zero
	}
	return s[:n]
}

func Insert[S ~[]E, E any](s S, at int, v ...E) S {
	_ = s[at:len(s):len(s)]
	more := make(S, len(v))
	copy(more, v)
	n, old := len(s)+len(more), len(s)
	if n <= cap(s) {
		s = s[:n]
		copy(s[at+len(more):], s[at:old])
		copy(s[at:], more)
		return s
	}
	made := append(s[:at], make(S, n-at)...)
	copy(made[at:], more)
	copy(made[at+len(more):], s[at:])
	return made
}

func DeleteFunc[S ~[]E, E any](s S, del func(E) bool) S {
	n := 0
	for i := 0; i < len(s); i++ {
		if v := s[i]; !del(v) {
			s[n] = v
			n++
		}
	}
	var zero E
	for i := n; i < len(s); i++ {
		s[i] = zero
	}
	return s[:n]
}

func Compact[S ~[]E, E comparable](s S) S {
	n := 0
	for i := 0; i < len(s); i++ {
		if i == 0 || s[i] != s[i-1] {
			s[n] = s[i]
			n++
		}
	}
	var zero E
	for i := n; i < len(s); i++ {
		s[i] = zero
	}
	return s[:n]
}

func Collect[E any](seq iter.Seq[E]) []E {
	var all []E
	seq(func(v E) bool {
		all = append(all, v)
		return true
	})
	return all
}

func Sorted[E cmp.Ordered](seq iter.Seq[E]) []E {
	all := Collect(seq)
	Sort(all)
	return all
}

func Values[S ~[]E, E any](s S) iter.Seq[E] {
	return func(yield func(E) bool) {
		for i := 0; i < len(s); i++ {
			if !yield(s[i]) {
				return
			}
		}
	}
}
