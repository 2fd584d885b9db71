// Durations and fractions are not kept; that they are read is.
//
// expect: race
// race: write, read
// race: again, compared
package durationsread

import (
	"testing"
	"time"
)

type settings struct {
	wait  int
	since float64
}

func TestWait(t *testing.T) {
	s := &settings{}
	done := make(chan bool)
	go func() {
		s.wait = 2    //@write
		s.since = 0.5 //@again
		done <- true
	}()
	time.Sleep(time.Duration(s.wait)) //@read
	if s.since > 1.5 {                //@compared
		t.Log("long ago")
	}
	<-done
}
