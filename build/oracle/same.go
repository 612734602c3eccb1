package oracle

import "fmt"

// SameCase says how b differs from a; nil where it does not. Names and origins
// are left out, configs are compared as JSON values, tensors in any order but
// folded alike.
func SameCase(a, b Case) error {
	a, err := normal(a)
	if err != nil {
		return err
	}
	b, err = normal(b)
	if err != nil {
		return err
	}
	if string(a.Config) != string(b.Config) {
		return fmt.Errorf("config %s became %s", a.Config, b.Config)
	}
	if a.Parameters != b.Parameters || a.Buffers != b.Buffers {
		return fmt.Errorf("%d parameters and %d buffers became %d and %d", a.Parameters, a.Buffers, b.Parameters, b.Buffers)
	}
	if fmt.Sprint(a.PersistentBuffers) != fmt.Sprint(b.PersistentBuffers) {
		return fmt.Errorf("persistent buffers %v became %v", a.PersistentBuffers, b.PersistentBuffers)
	}
	if x, y := withoutCommon(a.Tensors, b.Tensors); len(x)+len(y) > 0 {
		return fmt.Errorf("tensors differ:\n%s", Compare(a.Tensors, b.Tensors))
	}
	return nil
}

// SameRuntime says how b differs from a; nil where it does not. Cache tensors
// and operators are compared as sorted by name.
func SameRuntime(a, b Runtime) error {
	x, err := canonical(a.Config)
	if err != nil {
		return err
	}
	y, err := canonical(b.Config)
	if err != nil {
		return err
	}
	if string(x) != string(y) {
		return fmt.Errorf("config %s became %s", x, y)
	}
	for i := range a.Passes {
		if i >= len(b.Passes) || fmt.Sprint(a.Passes[i]) != fmt.Sprint(b.Passes[i]) {
			return fmt.Errorf("pass %d differs", i)
		}
	}
	if len(a.Passes) != len(b.Passes) {
		return fmt.Errorf("%d passes became %d", len(a.Passes), len(b.Passes))
	}
	return nil
}
