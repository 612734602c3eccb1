package step

// Each asks that every layer of a step is laid out, though it is like another.
func (o *Options) Each() { o.each = true }
