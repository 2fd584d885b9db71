// What both packages of maps have.
package maps

func Clone[M ~map[K]V, K comparable, V any](m M) M {
	if m == nil {
		return nil
	}
	made := make(M, len(m))
	for k, v := range m {
		made[k] = v
	}
	return made
}

func Copy[M ~map[K]V, N ~map[K]V, K comparable, V any](to M, from N) {
	for k, v := range from {
		to[k] = v
	}
}

func DeleteFunc[M ~map[K]V, K comparable, V any](m M, del func(K, V) bool) {
	for k, v := range m {
		if del(k, v) {
			delete(m, k)
		}
	}
}

func Equal[M ~map[K]V, N ~map[K]V, K, V comparable](a M, b N) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			return false
		}
	}
	return true
}
