// Printing a map reads it.
//
// expect: race
// race: write, read
package printedmap

import (
	"fmt"
	"testing"
)

func TestPrint(t *testing.T) {
	seen := map[string]int{}
	done := make(chan bool)
	go func() {
		seen["one"] = 1 //@write
		done <- true
	}()
	fmt.Println(seen) //@read
	<-done
}
