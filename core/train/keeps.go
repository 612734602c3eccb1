package train

// size is what a row of the table multiplies by. Some are 1 where a row applies and 0 where it does not.
type size uint8

const (
	_     size = iota
	value      // bytes of a value
	two
	four
	eight
	// norms
	normed    // bytes of a normed value
	deviation // bytes of what a row is normed by
	values    // values of a row
	rowsOf    // rows of a token
	// attention
	queries  // heads
	keys     // heads of keys and values, as often as they are copied
	headDim  // width of a head
	valueDim // width of a value's head
	gate     // 1: queries have gates
	packed   // 1: the values are a view of what one matrix gives for all three
	wayUp    // what a latent is multiplied to, of which the values are a view, with the keys before they get their rotary part
	apart    // 1: the values are kept by themselves
	turned   // bytes more of a query's and a key's value that is turned in fp32
	back     // 1: a matrix leads from the heads back to the stream
	kernel   // 1: one kernel attends
	scored   // bytes of a score; 0 with a kernel
	// channels
	between // intermediate widths that a feed-forward keeps
	inward  // such a width
	routed  // experts
	chosen  // experts that a token goes through
	token   // width of the stream
	// heads and branches
	logit      // bytes of a logit beside its log-probability
	vocabulary // logits
	dropped    // bytes of a mask for each value
	three
	numSizes
)

// place says of how many tokens a row is, and what divides it.
type place uint8

const (
	next     place = iota // with the row that follows
	asStream              // as the stream: divided by sequence parallelism alone
	asHeads               // divided by tensor parallelism
	asPairs               // the same, for every token of the sequence
)

// row is what autograd keeps of a token in a part: bytes times sizes. Without sizes it ends the rows before it.
type row struct {
	when  size // only where that is more than 0; 0: always
	what  string
	place place
	by    [4]size
}

// What each kind of part keeps beside the inputs of its matrices, which stand once for all that read them.
var (
	ofNorms = []row{ // the input, or its product with the deviation, in the bytes that the class says
		{0, "", next, [4]size{normed, values, rowsOf}},
		{0, norms, asStream, [4]size{deviation, rowsOf}},
	}
	ofHeads = []row{ // norms of heads
		ofNorms[0],
		{0, norms, asHeads, [4]size{deviation, rowsOf}},
	}
	ofAttention = []row{
		{gate, mixer, asHeads, [4]size{three, value, queries, headDim}}, // the gate, its sigmoid, what it multiplies
		{0, "", next, [4]size{value, queries, headDim}},
		{0, "", next, [4]size{value, keys, headDim}},
		{packed, "", next, [4]size{value, queries, headDim}},
		{packed, "", next, [4]size{two, value, keys, headDim}},
		{wayUp, "", next, [4]size{value, wayUp}},
		{apart, "", next, [4]size{value, keys, valueDim}},
		{turned, "", next, [4]size{turned, queries, headDim}},
		{turned, "", next, [4]size{turned, keys, headDim}},
		{0, mixer, asHeads, [4]size{}},
		{back, mixer, asHeads, [4]size{value, queries, valueDim}},
		{kernel, sums, asHeads, [4]size{four, queries}},
		{scored, scores, asPairs, [4]size{scored, queries}},
	}
	ofFeedForward = []row{
		{0, ffn, asHeads, [4]size{value, between, inward}},
	}
	ofExperts = []row{
		{0, "", next, [4]size{four, routed}}, // probabilities in fp32, weights and indices of the chosen
		{0, experts, asStream, [4]size{eight, chosen}},
		{0, experts, asStream, [4]size{two, value, chosen, token}}, // a copy of the token for each expert, and what comes back
		{0, experts, asHeads, [4]size{value, between, chosen, inward}},
	}
	ofHead = []row{
		{0, loss, asHeads, [4]size{logit, vocabulary}},
		{0, loss, asHeads, [4]size{four, vocabulary}}, // log-probabilities, of tokens that have a next one
	}
	ofBranches = []row{
		{dropped, masks, asStream, [4]size{dropped, token}},
	}
)

// keep adds what rows say.
func (t *tally) keep(rows []row) {
	for i := range rows {
		r := &rows[i]
		if r.when != 0 && t.sizes[r.when].Size == 0 {
			continue
		}
		for j, x := range r.by {
			switch {
			case x == 0:
			case j == 0:
				t.of(t.sizes[x].Size)
			default:
				t.by(t.sizes[x])
			}
		}
		switch r.place {
		case asStream:
			t.wide(r.what)
		case asHeads:
			t.inner(r.what)
		case asPairs:
			t.pairs(r.what)
		}
	}
}

// constants are the sizes that every part has.
func (t *tally) constants() {
	z := &t.sizes
	z[value].Size, z[two].Size, z[three].Size, z[four].Size, z[eight].Size = t.value(), 2, 3, 4, 8
}
