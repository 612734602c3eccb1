//go:build js && wasm

// Command hub is the program that fetches a model's config.json from the model hub, for the page.
//
// It is loaded only when someone asks for a model by its hub id, and runs in a worker, so that neither its size nor
// a slow answer holds up the page. Package fetch does the work; this is the glue. It hands
// back text: the counting program reads it like a config that was pasted.
//
// # The worker's messages
//
// worker.js is a classic worker. The page names the files in every message, so that their addresses may carry hashes:
//
//	{id: 1, exec: "/assets/wasm_exec-….js", wasm: "/assets/hub-….wasm",
//	 base: "https://huggingface.co", model: "Qwen/Qwen3-8B", timeout: 20000}
//
// id is any value and comes back with the answer. model is what was typed: owner/name, owner/name@revision, or
// the address of the model's page. timeout is in milliseconds, 20 seconds where it is absent. The answer is one of
//
//	{id: 1, ok: true, config: "{ … }"}
//	{id: 1, ok: false, error: {kind: "gated", message: "…", hint: "…"}}
//
// A message with verify: the address of verify.wasm, and families: that of all family files, asks for more: the
// headers of the model's files are held against its config (wasm/verify). Progress comes as
// {id: 1, progress: {done: 3, of: 163}}, the answer has {verdict: {…}} beside config. file names one of several GGUF files.
// With files: [File, …] in place of model, files that were dropped are read, by slices; they go nowhere.
//
// kind is one of fetch's Kind constants, or "program" when hub.wasm itself could not be loaded or stopped. The
// first message loads the program; answers may overtake each other.
//
// The page's policy has to let the worker connect to base.
package main

import (
	"context"
	"syscall/js"
	"time"

	"github.com/syumai/tinyutil/httputil"

	"llmsize/wasm/hub/fetch"
)

func main() {
	// The worker passes base, model and milliseconds, and gets a promise of {config, model, file} or {error}; model is pinned
	// to its commit, file is what an id or an address names of one of several.
	js.Global().Set("hubConfig", js.FuncOf(func(_ js.Value, args []js.Value) any {
		base, model, limit := args[0].String(), args[1].String(), time.Duration(args[2].Int())*time.Millisecond
		return promise(func() map[string]any { return config(base, model, limit) })
	}))
	// Likewise for a piece of a file, {bytes, size}, and for the names of a model's files, {files}.
	js.Global().Set("hubPiece", js.FuncOf(func(_ js.Value, args []js.Value) any {
		base, model, name := args[0].String(), args[1].String(), args[2].String()
		at, n, limit := int64(args[3].Float()), int64(args[4].Float()), time.Duration(args[5].Int())*time.Millisecond
		return promise(func() map[string]any { return piece(base, model, name, at, n, limit) })
	}))
	js.Global().Set("hubFiles", js.FuncOf(func(_ js.Value, args []js.Value) any {
		base, model, limit := args[0].String(), args[1].String(), time.Duration(args[2].Int())*time.Millisecond
		return promise(func() map[string]any { return files(base, model, limit) })
	}))
	select {} // the functions have to stay callable
}

func config(base, model string, limit time.Duration) map[string]any {
	ref, file, err := fetch.ParseFile(model)
	if err != nil {
		return failure(err)
	}
	out := map[string]any{"model": ref.String(), "file": file}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	body, commit, err := fetch.Hub{Client: httputil.DefaultClient, Base: base}.Config(ctx, ref)
	if err != nil {
		out["error"] = failure(err)["error"]
		return out
	}
	out["config"], out["model"] = string(body), ref.At(commit).String()
	return out
}

func failure(err error) map[string]any {
	e, ok := err.(*fetch.Error)
	if !ok {
		e = &fetch.Error{Kind: fetch.KindStatus, Message: err.Error()}
	}
	return map[string]any{"error": map[string]any{"kind": e.Kind, "message": e.Message, "hint": e.Hint, "file": e.File}}
}

func piece(base, model, name string, at, n int64, limit time.Duration) map[string]any {
	ref, err := fetch.Parse(model)
	if err != nil {
		return failure(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	part, err := fetch.Hub{Client: httputil.DefaultClient, Base: base}.Piece(ctx, ref, name, at, n)
	if err != nil {
		return failure(err)
	}
	bytes := js.Global().Get("Uint8Array").New(len(part.Bytes))
	js.CopyBytesToJS(bytes, part.Bytes)
	return map[string]any{"bytes": bytes, "size": float64(part.Size), "model": ref.At(part.Commit).String()}
}

func files(base, model string, limit time.Duration) map[string]any {
	ref, err := fetch.Parse(model)
	if err != nil {
		return failure(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	names, commit, err := fetch.Hub{Client: httputil.DefaultClient, Base: base}.Files(ctx, ref)
	if err != nil {
		return failure(err)
	}
	list := make([]any, len(names))
	for i, n := range names {
		list[i] = n
	}
	return map[string]any{"files": list, "model": ref.At(commit).String()}
}

// promise runs work beside the event loop, which has to go on for the network to answer.
func promise(work func() map[string]any) js.Value {
	executor := js.FuncOf(func(_ js.Value, args []js.Value) any {
		resolve := args[0]
		go func() { resolve.Invoke(work()) }()
		return nil
	})
	defer executor.Release()
	return js.Global().Get("Promise").New(executor)
}
