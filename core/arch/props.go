package arch

// propNames are the properties that a part can have. What reads a part reads
// these, never the family's name.
var propNames = map[string]bool{
	// softmax attention
	"heads":    true, // query heads
	"kv_heads": true, // key and value heads
	"head_dim": true, // width of a query and key head
	"v_dim":    true, // width of a value head, when it differs
	"window":   true, // the last so many tokens are seen; 0 or absent: all
	"chunk":    true, // attention stays inside chunks of so many tokens
	"latent":   true, // MLA: width of the cached latent
	"rope":     true, // MLA: width of the cached rotary key
	"cross":    true, // 1: keys and values come from the encoder's tokens
	"whole":    true, // 1: not causal: every token sees every token
	"shared":   true, // 1: uses another layer's keys and values, caches none
	"index":    true, // width of a sparse-attention index key, cached per token
	"unused":   true, // 1: built, but no pass runs it
	// state-space, recurrent and linear mixers
	"state":     true, // elements of the recurrent state per sequence
	"state_f32": true, // 1: the state is kept in fp32 beside a 16-bit cache
	"conv":      true, // elements of the convolution state per sequence
	"conv_f32":  true,
	"scan":      true, // multiply-adds of the scan per token
	// channel mixers
	"experts": true, // routed experts
	"topk":    true, // experts a token goes through
	"gated":   true, // 1: gate and up projection
	"width":   true, // intermediate size
}
