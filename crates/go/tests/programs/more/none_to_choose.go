// The greatest of none, which is a panic of the library: it is told of where that is used.
//
// expect: fault
// fault: panic in a function of the library@most

//go:build go1.22

package none

import (
	"slices"
	"testing"
)

func TestNone(t *testing.T) {
	var numbers []int
	_ = slices.Max(numbers) //@most
}
