// As `cleared`, the other way round.
//
// expect: holds
//go:build go1.22

package main

func main() {
	slice := []int{1, 2}
	clear(slice)
	table := map[string]int{"a": 1}
	clear(table)
	if len(slice) != 2 || slice[0] != 0 || len(table) != 0 {
		panic("not cleared")
	}
}
