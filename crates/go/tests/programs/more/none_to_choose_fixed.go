// As `none_to_choose`, with one.
//
// expect: holds

//go:build go1.22

package none

import (
	"slices"
	"testing"
)

func TestNone(t *testing.T) {
	numbers := slices.Insert([]int{}, 0, 7)
	if slices.Max(numbers) != 7 {
		t.Fatal("another")
	}
}
