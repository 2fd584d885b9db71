// `clear` takes everything out of a map, and makes the elements of a slice zero.
//
// expect: fault
// fault: panic@reached
//go:build go1.22

package main

func main() {
	slice := []int{1, 2}
	clear(slice)
	var table map[string]int
	clear(table)
	table = map[string]int{"a": 1}
	clear(table)
	if len(slice) == 2 && slice[1] == 0 && len(table) == 0 {
		panic("cleared") //@reached
	}
}
