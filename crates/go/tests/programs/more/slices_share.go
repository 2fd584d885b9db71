// What is appended to a part of a slice overwrites what comes after it.
//
// expect: fault
// fault: panic@shared
package slicesshare

import (
	"testing"
)

func insert(s []int, i, x int) []int {
	head := append(s[:i], x)
	return append(head, s[i:]...)
}

func TestInsert(t *testing.T) {
	s := make([]int, 2, 4)
	s[0], s[1] = 1, 2
	a := [2]int{3, 4}
	b := a
	b[0] = 5
	if a[0] != 3 || len(s) != 2 || cap(s) != 4 {
		panic("arrays are values")
	}
	s = insert(s, 1, 9)
	if s[0] != 1 || s[1] != 9 || s[2] != 2 {
		panic("overwritten") //@shared
	}
}
