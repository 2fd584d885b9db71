// Package sort, as far as it is about types of the program: by insertion, which is stable.
package sort

type Interface interface {
	Len() int
	Less(i, j int) bool
	Swap(i, j int)
}

func Sort(data Interface) {
	Stable(data)
}

func Stable(data Interface) {
	n := data.Len()
	for i := 1; i < n; i++ {
		for j := i; j > 0 && data.Less(j, j-1); j-- {
			data.Swap(j, j-1)
		}
	}
}

func IsSorted(data Interface) bool {
	for i := data.Len() - 1; i > 0; i-- {
		if data.Less(i, i-1) {
			return false
		}
	}
	return true
}

func Search(n int, f func(int) bool) int {
	low, high := 0, n
	for low < high {
		middle := (low + high) / 2
		if f(middle) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

func SearchInts(a []int, x int) int {
	return Search(len(a), func(i int) bool { return a[i] >= x })
}

func Strings(x []string) {
	for i := 1; i < len(x); i++ {
		for j := i; j > 0 && x[j] < x[j-1]; j-- {
			x[j], x[j-1] = x[j-1], x[j]
		}
	}
}

type IntSlice []int

func (x IntSlice) Len() int           { return len(x) }
func (x IntSlice) Less(i, j int) bool { return x[i] < x[j] }
func (x IntSlice) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }

type StringSlice []string

func (x StringSlice) Len() int           { return len(x) }
func (x StringSlice) Less(i, j int) bool { return x[i] < x[j] }
func (x StringSlice) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }

type reversed struct {
	of Interface
}

func (r *reversed) Len() int           { return r.of.Len() }
func (r *reversed) Less(i, j int) bool { return r.of.Less(j, i) }
func (r *reversed) Swap(i, j int)      { r.of.Swap(i, j) }

func Reverse(data Interface) Interface {
	return &reversed{data}
}
