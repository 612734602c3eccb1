package view

// Letter is a dimension as a table of all of them shows it.
type Letter struct {
	Sign  string   // "f_E"
	HTML  string   // in its colour
	Words string   // what it is
	Names []string // what configs call it, the most common first
}

// Letters is the table of dimensions, for pages that explain them.
func Letters() []Letter {
	var list []Letter
	for i := range letters {
		l := &letters[i]
		list = append(list, Letter{Sign: l.sign, HTML: string(l.html()), Words: l.words, Names: l.names})
	}
	return list
}
