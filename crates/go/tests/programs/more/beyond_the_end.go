// Inserting beyond the end of a slice.
//
// expect: fault
// fault: slice bounds out of range@insert

//go:build go1.22

package beyond

import (
	"slices"
	"testing"
)

func TestBeyond(t *testing.T) {
	numbers := []int{1, 2}
	_ = slices.Insert(numbers, 5, 3) //@insert
}
