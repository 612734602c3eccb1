package config

// Lined is JSON with each key and entry on the line that it stands on in the file, without the file's spaces: who reads it
// again finds the lines that the file has.
func (v *Value) Lined() string {
	b, _ := v.lined(nil, 1)
	return string(b)
}

// lined appends v, when the text so far ends on a line.
func (v *Value) lined(b []byte, line int) ([]byte, int) {
	open, shut, n := byte('['), byte(']'), len(v.Items)
	if v.Kind == Object {
		open, shut, n = '{', '}', len(v.Keys)
	} else if v.Kind != List {
		return v.append(b), line
	}
	b = append(b, open)
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		x := &v.Items
		if v.Kind == Object {
			x = &v.Vals
		}
		for ; line < (*x)[i].Line; line++ {
			b = append(b, '\n')
		}
		if v.Kind == Object {
			b = append(AppendQuoted(b, v.Keys[i]), ':')
		}
		b, line = (*x)[i].lined(b, line)
	}
	return append(b, shut), line
}
