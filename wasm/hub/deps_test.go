//go:build !js

package main_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestFetchesByTinyutil: the page's requests are made in Go, by httputil, and the program that reads headers makes none.
func TestFetchesByTinyutil(t *testing.T) {
	t.Parallel()
	deps := func(pkg string) []string {
		list := exec.Command("go", "list", "-deps", pkg)
		list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Fields(string(out))
	}
	hub, verify := deps("."), deps("../verify")
	if !slices.Contains(hub, "github.com/syumai/tinyutil/httputil") {
		t.Error("wasm/hub lacks tinyutil's httputil")
	}
	for _, pkg := range []string{"net/http", "github.com/syumai/tinyutil/httputil"} {
		if slices.Contains(verify, pkg) {
			t.Errorf("wasm/verify can fetch: %s", pkg)
		}
	}
}
