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
	// The worker passes base, model and milliseconds, and gets a promise of {config} or {error}.
	js.Global().Set("hubConfig", js.FuncOf(func(_ js.Value, args []js.Value) any {
		base, model, limit := args[0].String(), args[1].String(), time.Duration(args[2].Int())*time.Millisecond
		return promise(func() map[string]any { return config(base, model, limit) })
	}))
	select {} // the function has to stay callable
}

func config(base, model string, limit time.Duration) map[string]any {
	ref, err := fetch.Parse(model)
	if err != nil {
		return failure(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	body, err := fetch.Hub{Client: httputil.DefaultClient, Base: base}.Config(ctx, ref)
	if err != nil {
		return failure(err)
	}
	return map[string]any{"config": string(body)}
}

func failure(err error) map[string]any {
	e, ok := err.(*fetch.Error)
	if !ok {
		e = &fetch.Error{Kind: fetch.KindStatus, Message: err.Error()}
	}
	return map[string]any{"error": map[string]any{"kind": e.Kind, "message": e.Message, "hint": e.Hint}}
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
