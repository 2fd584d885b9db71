// The variables of a table of cases are captured by what the cases start.
//
// expect: race
// race: round, captured
package moby22941

import (
	"errors"
	"testing"
)

func dial(host string) error {
	if host == "" {
		return errors.New("no host")
	}
	return nil
}

func TestMoby22941(t *testing.T) {
	cases := []struct {
		host string
		fail bool
	}{
		{"a", false},
		{"b", false},
	}
	errs := make(chan error, len(cases))
	for _, tc := range cases { //@round
		go func() {
			errs <- dial(tc.host) //@captured
		}()
	}
	for range cases {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
}
