package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"llmsize/wasm/hub/hubtest"
)

// tinyFile is the safetensors file of the config tiny, its class's tensors as models/llama names
// them, and one more where a test wants it.
func tinyFile(more ...string) hubtest.File {
	var b strings.Builder
	at := 0
	put := func(name string, shape ...int) {
		n := 2
		for _, d := range shape {
			n *= d
		}
		s, _ := json.Marshal(shape)
		sep := ","
		if at == 0 {
			sep = "{"
		}
		fmt.Fprintf(&b, `%s%q:{"dtype":"BF16","shape":%s,"data_offsets":[%d,%d]}`, sep, name, s, at, at+n)
		at += n
	}
	put("model.embed_tokens.weight", 10, 4)
	put("lm_head.weight", 10, 4)
	put("model.norm.weight", 4)
	for i := range 2 {
		p := fmt.Sprintf("model.layers.%d.", i)
		for _, m := range []string{"q", "k", "v", "o"} {
			put(p+"self_attn."+m+"_proj.weight", 4, 4)
		}
		put(p+"mlp.gate_proj.weight", 6, 4)
		put(p+"mlp.up_proj.weight", 6, 4)
		put(p+"mlp.down_proj.weight", 4, 6)
		put(p+"input_layernorm.weight", 4)
		put(p+"post_attention_layernorm.weight", 4)
	}
	for _, name := range more {
		put(name, 4)
	}
	b.WriteString("}")
	head := append(binary.LittleEndian.AppendUint64(nil, uint64(b.Len())), b.String()...)
	return hubtest.File{Head: head, Size: int64(len(head) + at)}
}

// tinyGGUF is a GGUF file's beginning: one layer of the same, by its metadata.
func tinyGGUF() hubtest.File {
	text := func(s string) []byte {
		return append(binary.LittleEndian.AppendUint64(nil, uint64(len(s))), s...)
	}
	var meta, tensors []byte
	n, k, at := 0, 0, uint64(0)
	meta = append(append(append(meta, text("general.architecture")...), 8, 0, 0, 0), text("llama")...)
	k++
	for key, v := range map[string]uint32{"block_count": 1, "embedding_length": 32, "feed_forward_length": 64, "attention.head_count": 2, "vocab_size": 10} {
		meta = append(append(append(meta, text("llama."+key)...), 4, 0, 0, 0), binary.LittleEndian.AppendUint32(nil, v)...)
		k++
	}
	put := func(name string, dims ...uint64) {
		tensors = append(tensors, text(name)...)
		tensors = binary.LittleEndian.AppendUint32(tensors, uint32(len(dims)))
		size := uint64(4)
		for i := len(dims) - 1; i >= 0; i-- {
			tensors = binary.LittleEndian.AppendUint64(tensors, dims[i])
			size *= dims[i]
		}
		tensors = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(tensors, 0), at)
		at += (size + 31) / 32 * 32
		n++
	}
	put("token_embd.weight", 10, 32)
	put("output_norm.weight", 32)
	for _, m := range []string{"q", "k", "v", "output"} {
		put("blk.0.attn_"+m+".weight", 32, 32)
	}
	put("blk.0.attn_norm.weight", 32)
	put("blk.0.ffn_norm.weight", 32)
	put("blk.0.ffn_gate.weight", 64, 32)
	put("blk.0.ffn_up.weight", 64, 32)
	put("blk.0.ffn_down.weight", 32, 64)
	b := binary.LittleEndian.AppendUint32([]byte("GGUF"), 3)
	b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, uint64(n)), uint64(k))
	b = append(append(b, meta...), tensors...)
	return hubtest.File{Head: b, Size: int64((len(b)+31)/32*32) + int64(at)}
}

// tinyGGUFTotal: embedding, which is the head, three norms, four matrices of 32 and three of 64.
const tinyGGUFTotal = 10*32 + 3*32 + 4*32*32 + 3*64*32

const nobodys = `{"model_type":"nobody_has_this","architectures":["NobodyForCausalLM"],"hidden_size":4,"num_attention_heads":2}`

func fileOf(text string) hubtest.File { return hubtest.File{Head: []byte(text)} }

// alone sets a home without cache and token, and the hub at an address.
func alone(t *testing.T, address string) (home string) {
	t.Helper()
	home = t.TempDir()
	for _, name := range []string{"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_TOKEN_PATH", "HF_HUB_OFFLINE", "XDG_CACHE_HOME", "HF_HUB_DISABLE_IMPLICIT_TOKEN"} {
		t.Setenv(name, "")
	}
	t.Setenv("HF_HOME", home)
	t.Setenv("HF_ENDPOINT", address)
	return home
}

func TestHub(t *testing.T) {
	was := patience
	t.Cleanup(func() { patience = was })
	hub := hubtest.Start(t)
	alone(t, hub.URL)
	files := map[string]hubtest.File{"config.json": fileOf(tiny), "model.safetensors": tinyFile()}
	unknown := map[string]hubtest.File{"config.json": fileOf(nobodys), "model.safetensors": tinyFile()}
	parts := map[string]hubtest.File{"config.json": fileOf(tiny), "a.safetensors": tinyFile(), "model.safetensors.index.json": index(tinyFile(), "a.safetensors")}
	ggufs := map[string]hubtest.File{"tiny-Q4_K_M.gguf": tinyGGUF(), "tiny-Q8_0.gguf": tinyGGUF(), "README.md": fileOf("hello")}
	var more []string
	for i := range 2000 {
		more = append(more, fmt.Sprintf("model.layers.0.rotary.%d.inv_freq", i))
	}
	long := tinyFile(more...) // its header is longer than the first request
	hub.Files("a/plain", files, hubtest.Trouble{})
	hub.Files("a/unknown", unknown, hubtest.Trouble{})
	hub.Files("a/parts", parts, hubtest.Trouble{})
	hub.Files("a/lost", parts, hubtest.Trouble{Missing: "a.safetensors"})
	hub.Files("a/gguf", ggufs, hubtest.Trouble{})
	hub.Files("a/dynamic", map[string]hubtest.File{"tiny-Q4_K_M.gguf": fileOf("not this one"), "tiny-UD-Q4_K_XL.gguf": tinyGGUF()}, hubtest.Trouble{})
	hub.Files("a/long", map[string]hubtest.File{"config.json": fileOf(tiny), "model.safetensors": long}, hubtest.Trouble{})
	hub.Files("a/whole", files, hubtest.Trouble{NoRange: true})
	hub.Files("a/gated", files, hubtest.Trouble{Gated: true, Token: "hf_secret"})
	hub.Files("a/busy", files, hubtest.Trouble{Busy: 1})
	hub.Files("a/always-busy", files, hubtest.Trouble{Busy: 1 << 20, Retry: "600"})
	hub.Files("a/loop", files, hubtest.Trouble{Loop: true})
	hub.Files("a/page", files, hubtest.Trouble{Page: true})
	hub.Files("a/hang", files, hubtest.Trouble{Hang: true})
	hub.Files("a/stall", files, hubtest.Trouble{Stall: true})
	hub.Files("a/broken", files, hubtest.Trouble{Broken: true})
	hub.Files("a/wrong-part", files, hubtest.Trouble{WrongRange: true})
	hub.Files("a/cut", files, hubtest.Trouble{CutConfig: true})
	hub.Files("a/pickle", map[string]hubtest.File{"config.json": fileOf(tiny), "pytorch_model.bin": {Head: []byte("PK\x03\x04")}}, hubtest.Trouble{})
	hub.Files("a/only-config", map[string]hubtest.File{"config.json": fileOf(tiny)}, hubtest.Trouble{})
	for _, c := range []struct {
		args string
		code int
		want string // in what is printed, or in the message
	}{
		{"count --json a/plain", 0, fmt.Sprintf(`"total": %d`, tinyTotal)},
		{"count --json hf:a/plain", 0, fmt.Sprintf(`"total": %d`, tinyTotal)},
		{"count --json a/plain@" + hub.Commit("a/plain"), 0, fmt.Sprintf(`"total": %d`, tinyTotal)},
		{"count --json a/plain set.num_hidden_layers=1", 0, fmt.Sprintf(`"total": %d`, tinyTotal-(4*4*4+3*4*6+2*4))},
		{"count --json ?v=1&model=a/plain&batch=2", 0, fmt.Sprintf(`"total": %d`, tinyTotal)},
		{"link a/plain@" + hub.Commit("a/plain") + " context=512", 0, "?v=1&model=a/plain@" + hub.Commit("a/plain") + "&context=512\n"},
		{"link a/plain", 0, "?v=1&model=a/plain@" + hub.Commit("a/plain") + "\n"},
		{"link ?v=1&model=a%2Fgguf:Q4_K_M", 0, "?v=1&model=a/gguf@" + hub.Commit("a/gguf") + ":Q4_K_M\n"},
		{"count a/plain@v9", 1, "no revision v9"},
		{"count a/none", 1, "does not exist, or it is private"},
		{"count --json a/unknown", 0, fmt.Sprintf(`"total": %d`, tinyTotal)},
		{"report --json a/unknown", 0, "read from the checkpoint's headers alone"},
		{"report a/unknown", 0, "the count exact, the rest an estimate"},
		{"report a/unknown", 0, "  weights, exact"},
		{"report a/unknown", 0, "  cache, estimate"},
		{"report a/unknown", 0, "tokens × 1, estimate"},
		{"report --json a/plain", 0, fmt.Sprintf(`"bytes": %d`, 2*tinyTotal)},
		{"verify --json a/plain", 0, `"verdict": "equal"`},
		{"verify --json a/parts", 0, `"verdict": "equal"`},
		{"verify --json a/unknown", 0, `"verdict": "alone"`},
		{"verify a/lost", 1, "a.safetensors"},
		{"verify --json a/long", 0, `"verdict": "extra"`},
		{"verify --json a/whole", 0, `"verdict": "equal"`},
		{"verify a/gguf", 1, "tiny-Q4_K_M.gguf, tiny-Q8_0.gguf"},
		{"verify --json a/gguf:q8_0", 0, `"verdict": "equal"`},
		{"verify --json a/gguf/tiny-Q4_K_M.gguf", 0, `"verdict": "equal"`},
		{"count --json a/gguf:Q4_K_M", 0, fmt.Sprintf(`"total": %d`, tinyGGUFTotal)},
		{"verify a/gguf:Q2_K", 1, "no such file"},
		{"count --json a/dynamic:UD-Q4_K_XL", 0, fmt.Sprintf(`"total": %d`, tinyGGUFTotal)},
		{"verify --json a/busy", 0, `"verdict": "equal"`},
		{"verify a/always-busy", 1, "no more requests"},
		{"verify a/gated", 1, "is gated"},
		{"count a/gated", 1, "set HF_TOKEN"},
		{"count a/broken", 1, "give its config.json as a file"},
		{"verify a/loop", 1, "could not be reached"},
		{"verify a/page", 1, "not a JSON object"},
		{"verify a/hang", 1, "in time"},
		{"verify a/stall", 1, "in time"},
		{"verify a/broken", 1, "status 500"},
		{"verify a/wrong-part", 1, "another part"},
		{"verify a/cut", 1, "not a JSON object"},
		{"verify a/pickle", 1, "runs code"},
		{"count --json a/pickle", 0, fmt.Sprintf(`"total": %d`, tinyTotal)},
		{"verify a/only-config", 1, "no checkpoint"},
		{"verify nonsense", 1, "no checkpoint"},
		{"verify", 2, "is missing"},
		{"verify a b", 2, "takes one"},
	} {
		patience = was
		if strings.Contains(c.args, "a/hang") || strings.Contains(c.args, "a/stall") || strings.Contains(c.args, "always-busy") { // what never answers: a busy machine is no reason
			patience = 700 * time.Millisecond
		}
		code, out, errs := call("", strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out+errs, c.want) || code != 0 && out != "" && !strings.Contains(out, "verdict") {
			t.Errorf("%s: exit %d, want %d with %q\n%s%s", c.args, code, c.code, c.want, out, errs)
		}
	}
	t.Setenv("HF_TOKEN", "hf_secret")
	if code, out, errs := call("", "verify", "--json", "a/gated"); code != 0 || !strings.Contains(out, `"equal"`) {
		t.Errorf("with its token: exit %d %s%s", code, out, errs)
	}
	for _, line := range hub.Log() {
		if strings.HasPrefix(line, "data ") && strings.Contains(line, "(signed)") {
			t.Errorf("the token went to another host: %s", line)
		}
	}
	if hub.Sent() > 64<<20 {
		t.Errorf("%d bytes were sent: weights were read", hub.Sent())
	}
	hub2 := hubtest.Start(t)
	t.Setenv("HF_ENDPOINT", hub2.URL+"/")
	t.Setenv("HF_HUB_OFFLINE", "1")
	if code, _, errs := call("", "count", "a/plain"); code != 1 || !strings.Contains(errs, "HF_HUB_OFFLINE") || len(hub2.Log()) > 0 {
		t.Errorf("offline: exit %d %s %v", code, errs, hub2.Log())
	}
}

// TestAtOnce: of many headers at most eight are on their way.
func TestAtOnce(t *testing.T) {
	hub := hubtest.Start(t)
	alone(t, hub.URL)
	files, weights := map[string]hubtest.File{"config.json": fileOf(nobodys)}, map[string]string{}
	for i := range 40 {
		name, tensor := fmt.Sprintf("%d.safetensors", i), fmt.Sprintf("model.layers.%d.w.weight", i)
		head := fmt.Sprintf(`{%q:{"dtype":"BF16","shape":[4],"data_offsets":[0,8]}}`, tensor)
		head = string(binary.LittleEndian.AppendUint64(nil, uint64(len(head)))) + head
		files[name] = hubtest.File{Head: []byte(head), Size: int64(len(head)) + 8}
		weights[tensor] = name
	}
	text, err := json.Marshal(map[string]any{"weight_map": weights})
	if err != nil {
		t.Fatal(err)
	}
	files["model.safetensors.index.json"] = hubtest.File{Head: text}
	hub.Files("a/many", files, hubtest.Trouble{Slow: 20 * time.Millisecond})
	if code, out, errs := call("", "verify", "--json", "a/many"); code != 0 || !strings.Contains(out, `"tensors": 40`) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if n := hub.Most(); n < 2 || n > 8 {
		t.Errorf("%d headers were on their way at once", n)
	}
}

// index names all tensors of a file as another's.
func index(f hubtest.File, name string) hubtest.File {
	var header map[string]json.RawMessage
	if err := json.Unmarshal(f.Head[8:], &header); err != nil {
		panic(err)
	}
	weights := map[string]string{}
	for k := range header {
		weights[k] = name
	}
	text, err := json.Marshal(map[string]any{"metadata": map[string]int{"total_size": 1}, "weight_map": weights})
	if err != nil {
		panic(err)
	}
	return hubtest.File{Head: text}
}

// store writes a file as long as it says, its weights zeros.
func store(t *testing.T, path string, f hubtest.File) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, f.Head, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, max(f.Size, int64(len(f.Head)))); err != nil {
		t.Fatal(err)
	}
}

// TestCache: what the hub's tools have fetched is found without network.
func TestCache(t *testing.T) {
	home := alone(t, "http://127.0.0.1:1")
	const commit = "0123456789abcdef0123456789abcdef01234567"
	at := filepath.Join(home, "hub", "models--a--cached")
	store(t, filepath.Join(at, "blobs", "1"), fileOf(tiny))
	store(t, filepath.Join(at, "blobs", "2"), tinyFile("model.rotary_emb.inv_freq"))
	store(t, filepath.Join(at, "refs", "main"), fileOf(commit))
	dir := filepath.Join(at, "snapshots", commit)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, blob := range map[string]string{"config.json": "1", "model.safetensors": "2"} {
		if err := os.Symlink(filepath.Join("..", "..", "blobs", blob), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{"a/cached", "hf:a/cached", "a/cached@main", "a/cached@" + commit} {
		if a := ask(t, "", "count", "--json", id); a.Parameters.Total != tinyTotal {
			t.Errorf("%s: %d, want %d", id, a.Parameters.Total, tinyTotal)
		}
		if code, out, errs := call("", "verify", "--json", id); code != 0 || !strings.Contains(out, `"extra"`) {
			t.Errorf("%s: exit %d %s%s", id, code, out, errs)
		}
	}
	// A snapshot whose weights were taken away: the config answers still, and the file is named.
	if err := os.Remove(filepath.Join(at, "blobs", "2")); err != nil {
		t.Fatal(err)
	}
	for _, offline := range []string{"0", "1"} {
		t.Setenv("HF_HUB_OFFLINE", offline)
		if a := ask(t, "", "count", "--json", "a/cached"); a.Parameters.Total != tinyTotal {
			t.Errorf("without its weights: %d, want %d", a.Parameters.Total, tinyTotal)
		}
		if code, _, errs := call("", "verify", "a/cached"); code != 1 || !strings.Contains(errs, filepath.Join(dir, "model.safetensors")+": this is a link to a file that is not there") {
			t.Errorf("without its weights: exit %d %s", code, errs)
		}
	}
	t.Setenv("HF_HUB_OFFLINE", "")
	if code, _, errs := call("", "count", "a/other"); code != 1 || !strings.Contains(errs, "could not be reached") {
		t.Errorf("what is not in the cache: exit %d %s", code, errs)
	}
}

// TestFolders: files as they lie on a disk.
func TestFolders(t *testing.T) {
	alone(t, "http://127.0.0.1:1")
	dir := t.TempDir()
	put := func(path string, f hubtest.File) { store(t, filepath.Join(dir, path), f) }
	put("good/config.json", fileOf(tiny))
	put("good/model.safetensors", tinyFile())
	put("bare/model.safetensors", tinyFile())
	put("unknown/config.json", fileOf(nobodys))
	put("unknown/model.safetensors", tinyFile())
	put("more/config.json", fileOf(tiny))
	put("more/model.safetensors", tinyFile("model.extra.weight"))
	put("parts/config.json", fileOf(tiny))
	put("parts/x-00001-of-00002.safetensors", tinyFile())
	put("index/config.json", fileOf(tiny))
	put("index/model.safetensors.index.json", index(tinyFile(), "gone.safetensors"))
	put("lfs/config.json", fileOf(tiny))
	put("lfs/model.safetensors", fileOf("version https://git-lfs.github.com/spec/v1\noid sha256:00\n"))
	put("page/config.json", fileOf(tiny))
	put("page/model.safetensors", fileOf("<!doctype html><title>Sign in</title>"))
	put("cut/config.json", fileOf(tiny))
	put("cut/model.safetensors", hubtest.File{Head: tinyFile().Head})
	put("pickle/config.json", fileOf(tiny))
	put("pickle/pytorch_model.bin", fileOf("PK\x03\x04"))
	put("gguf/tiny.gguf", tinyGGUF())
	put("bad/config.json", fileOf(`{"model_type": "llama", "hidden_size": }`))
	put("bad/model.safetensors", tinyFile())
	put("empty/README.md", fileOf("hello"))
	put("pipe/config.json", fileOf(tiny))
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe/model.safetensors"), 0o600); err != nil { // nobody writes into it
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"count --json good", 0, fmt.Sprintf(`"total": %d`, tinyTotal)},
		{"verify --json good", 0, `"verdict": "equal"`},
		{"verify good", 0, "Config and checkpoint agree"},
		{"verify --json good/model.safetensors", 0, `"verdict": "equal"`},
		{"count --json good/model.safetensors", 0, fmt.Sprintf(`"total": %d`, tinyTotal)},
		{"count --json bare", 0, fmt.Sprintf(`"total": %d`, tinyTotal)},
		{"verify --json bare/model.safetensors", 0, `"verdict": "alone"`},
		{"count --json unknown", 0, fmt.Sprintf(`"total": %d`, tinyTotal)},
		{"verify more", 0, "model.extra.weight"},
		{"verify parts", 1, "x-00002-of-00002.safetensors"},
		{"verify index", 1, "gone.safetensors"},
		{"verify index/model.safetensors.index.json", 1, "gone.safetensors"},
		{"count --json index/model.safetensors.index.json", 0, fmt.Sprintf(`"total": %d`, tinyTotal)},
		{"verify lfs", 1, "pointer"},
		{"verify page", 1, "web page"},
		{"verify cut", 1, "ends too early"},
		{"count --json cut", 0, fmt.Sprintf(`"total": %d`, tinyTotal)},
		{"verify pickle", 1, "runs code"},
		{"verify pickle/pytorch_model.bin", 1, "runs code"},
		{"count --json pickle", 0, fmt.Sprintf(`"total": %d`, tinyTotal)},
		{"count --json gguf/tiny.gguf", 0, fmt.Sprintf(`"total": %d`, tinyGGUFTotal)},
		{"report --json gguf", 0, fmt.Sprintf(`"total": %d`, tinyGGUFTotal)},
		{"verify --json gguf/tiny.gguf", 0, `"verdict": "equal"`},
		{"verify bad", 1, "line 1"},
		{"verify pipe", 1, "this isn't a regular file"},
		{"count --json pipe", 0, fmt.Sprintf(`"total": %d`, tinyTotal)},
		{"count empty", 1, "no checkpoint and no config.json"},
		{"verify nothere/model.safetensors", 1, "model.safetensors"},
	} {
		args := strings.Fields(c.args)
		last := len(args) - 1
		args[last] = filepath.Join(dir, args[last])
		code, out, errs := call("", args...)
		if code != c.code || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: exit %d, want %d with %q\n%s%s", c.args, code, c.code, c.want, out, errs)
		}
	}
}
