package model

// Property is one of the numbers that a part can have beyond its matrices. What reads a part reads these, never the
// family's name; a family's file writes them by their names ([PropertyNamed]).
type Property uint8

// The properties.
const (
	// softmax attention
	Heads       Property = iota // query heads
	KVHeads                     // key and value heads
	HeadDim                     // width of a query and key head
	VDim                        // width of a value head, when it differs
	Window                      // how many of the last tokens are seen; 0 or absent: all
	Chunk                       // attention stays inside chunks of this many tokens
	Latent                      // MLA: width of the cached latent
	Rope                        // MLA: width of the cached rotary key
	Cross                       // 1: keys and values come from the encoder's tokens
	Whole                       // 1: not causal: every token sees every token; 2: and keys are kept all the same; 3: by the class alone, which writes nothing
	Shared                      // 1: uses another layer's keys and values, caches none
	IndexWidth                  // width of a sparse-attention index key, cached per token
	IndexF32                    // 1: those keys are kept in fp32
	IndexScores                 // multiply-adds for a pair of tokens beside those of the heads: of the index that picks, of distances
	Picks                       // the most tokens that attention runs over: those with the best index scores
	Compress                    // beside the window, one entry for each group of this many tokens is kept; index keys likewise
	Pending                     // elements kept for each token of the entry that is not complete yet
	Unused                      // 1: built, but no pass runs it
	Encodes                     // 1: a token sees only those before it, but nothing is written after them: no keys are kept
	Packed                      // 1: one matrix gives queries, keys and values, and the class keeps the values as a view of them all
	// what transformers' cache holds beside or instead of what the next token needs
	Prefix   // tokens that the class puts before the first
	KeepsAll // 1: its cache keeps tokens that the window no longer sees
	Uncached // 1: the class has no cache, or one of its own beside the standard one
	// state-space, recurrent and linear mixers
	StateSize // elements of the recurrent state per sequence
	StateF32  // 1: the state is kept in fp32 beside a 16-bit cache
	ConvState // elements of the convolution state per sequence
	ConvF32
	Scan // multiply-adds per token of a scan, or of mixing that no weight takes part in
	// an image's tokens, of a part whose stream is one; a text's, where a model pools them
	Stride // pixels from one token to the next, both ways: a token for each square of this side; before an encoder, places for one of its tokens
	Floor  // 1: what is left of a side that is no whole stride isn't read; else it makes one token more
	Plus   // tokens beside those; all tokens where there is no stride
	Over   // keys and values are an image's tokens, this many pixels apart
	Keys   // keys and values are this many tokens
	// channel mixers
	Experts // routed experts
	TopK    // experts a token goes through
	Gated   // 1: gate and up projection; of attention: the matrix of the queries gives each a gate too
	Width   // intermediate size
	numProperties
)

var propertyNames = [numProperties]string{
	"heads", "kv_heads", "head_dim", "v_dim", "window", "chunk", "latent", "rope", "cross", "whole", "shared", "index", "index_f32", "index_scores", "picks", "compress", "pending", "unused", "encodes", "packed", "prefix", "keeps_all", "uncached", "state", "state_f32", "conv", "conv_f32", "scan", "stride", "floor", "plus", "over", "keys", "experts", "topk", "gated", "width",
}

// String returns the property's name in families' files: "kv_heads".
func (p Property) String() string { return propertyNames[p] }

// PropertyNamed finds the property of a name.
func PropertyNamed(name string) (Property, bool) {
	for i, n := range propertyNames {
		if n == name {
			return Property(i), true
		}
	}
	return 0, false
}
