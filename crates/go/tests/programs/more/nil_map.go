// A map that was never made is read, which is allowed, and written, which is not.
//
// expect: fault
// fault: assignment to entry in nil map@write
package nilmap

import (
	"testing"
)

type scores struct{ m map[string]int }

func (s *scores) add(name string) int {
	if n, ok := s.m[name]; ok {
		return n
	}
	s.m[name] = len(s.m) //@write
	return s.m[name]
}

func TestScores(t *testing.T) {
	var s scores
	delete(s.m, "b")
	for range s.m {
		panic("there is none")
	}
	s.add("a")
}
