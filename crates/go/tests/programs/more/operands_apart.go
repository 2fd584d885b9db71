// Operands are read one after the other, and another goroutine may act in between.
//
// expect: fault, race
// fault: panic@torn
// race: low, read
// race: high, read
package operandsapart

import (
	"testing"
)

type span struct{ low, high int }

func (s *span) move() {
	s.high = 1 //@high
	s.low = 1  //@low
}

func TestSpan(t *testing.T) {
	s := &span{}
	go s.move()
	if s.high < s.low { //@read
		panic("the first is old, the second is new") //@torn
	}
}
