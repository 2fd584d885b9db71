// The map is made when it is first written.
//
// expect: holds
package nilmap

import (
	"testing"
)

type scores struct{ m map[string]int }

func (s *scores) add(name string) int {
	if n, ok := s.m[name]; ok {
		return n
	}
	if s.m == nil {
		s.m = make(map[string]int)
	}
	s.m[name] = len(s.m)
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
