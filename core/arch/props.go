package arch

// propNames are the properties that a part can have. What reads a part reads
// these, never the family's name.
var propNames = []string{
	// softmax attention
	"heads",        // query heads
	"kv_heads",     // key and value heads
	"head_dim",     // width of a query and key head
	"v_dim",        // width of a value head, when it differs
	"window",       // the last so many tokens are seen; 0 or absent: all
	"chunk",        // attention stays inside chunks of this many tokens
	"latent",       // MLA: width of the cached latent
	"rope",         // MLA: width of the cached rotary key
	"cross",        // 1: keys and values come from the encoder's tokens
	"whole",        // 1: not causal: every token sees every token
	"shared",       // 1: uses another layer's keys and values, caches none
	"index",        // width of a sparse-attention index key, cached per token
	"index_f32",    // 1: those keys are kept in fp32
	"index_scores", // multiply-adds of the index for a pair of tokens: what picking costs
	"picks",        // attention runs over at most so many of the tokens, those with the best index scores
	"compress",     // beside the window one entry for every so many tokens is kept; index keys likewise
	"pending",      // elements kept for each token of the entry that is not complete yet
	"unused",       // 1: built, but no pass runs it
	"encodes",      // 1: a token sees only those before it, but nothing is written after them: no keys are kept
	// what transformers' cache holds beside or instead of what the next token needs
	"prefix",    // tokens that the class puts before the first
	"keeps_all", // 1: its cache keeps tokens that the window no longer sees
	"uncached",  // 1: the class has no cache, or one of its own beside the standard one
	// state-space, recurrent and linear mixers
	"state",     // elements of the recurrent state per sequence
	"state_f32", // 1: the state is kept in fp32 beside a 16-bit cache
	"conv",      // elements of the convolution state per sequence
	"conv_f32",
	"scan", // multiply-adds per token of a scan, or of mixing that no weight takes part in
	// an image's tokens, of a part whose stream is one
	"stride",  // pixels from one token to the next, both ways: a token for every so many squared
	"plus",    // tokens beside those; all tokens where there is no stride
	"over",    // keys and values are an image's tokens so many pixels apart
	"reduced", // keys and values come from an image smaller by this, both ways
	// channel mixers
	"experts", // routed experts
	"topk",    // experts a token goes through
	"gated",   // 1: gate and up projection
	"width",   // intermediate size
}

// PropNames returns the names of all properties that a part can have.
func PropNames() []string { return append([]string(nil), propNames...) }
