// As `append_in_place`, where there is no room: the pointer leads to the array before.
//
// expect: holds
package main

type entry struct{ n int }

func main() {
	entries := make([]entry, 1, 1)
	first := &entries[0]
	entries = append(entries, entry{5})
	first.n = 7
	if entries[0].n == 7 {
		panic("in place")
	}
}
