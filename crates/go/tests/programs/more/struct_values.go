// A struct in a slice is a copy of what it was made of.
//
// expect: fault
// fault: panic@copy
package structvalues

import (
	"testing"
)

type point struct{ x, y int }

type shape struct {
	corners []point
	centre  *point
}

func TestCopies(t *testing.T) {
	p := point{1, 2}
	s := shape{corners: []point{p, {3, 4}}, centre: &p}
	p.x = 5
	if s.centre.x != 5 || (point{1, 2}) == p {
		panic("a pointer does not copy")
	}
	for _, c := range s.corners {
		c.y = 0
	}
	if s.corners[1].y != 4 {
		panic("a range copies")
	}
	same := s.corners[0].x == p.x
	if !same {
		panic("a slice of structs copies") //@copy
	}
}
