// A slice of pointers shares what they point to.
//
// expect: holds
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
	same := s.corners[0].x == 1
	if !same {
		panic("a slice of structs copies")
	}
}
