// What is appended where there is room is written to where a pointer leads already.
//
// expect: fault
// fault: panic@reached
package main

type entry struct{ n int }

func main() {
	entries := make([]entry, 1, 2)
	next := &entries[:2][1]
	entries = append(entries, entry{5})
	if next.n == 5 {
		panic("in place") //@reached
	}
}
