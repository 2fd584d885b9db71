// Whether it panics depends on a fraction, of which nothing is kept.
//
// expect: maybe fault
// fault: panic@here
package main

func main() {
	d := 0.5
	if d > 1.0 {
		panic("large") //@here
	}
}
