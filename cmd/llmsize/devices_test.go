package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestDevices(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"devices", "--json"}, nil, &out, &errs); code != 0 {
		t.Fatal(code, errs.String())
	}
	var list []struct {
		Slug    string
		Sources map[string]struct{ Title, Date string }
	}
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) < 80 {
		t.Errorf("%d devices", len(list))
	}
	for _, d := range list {
		if len(d.Sources) == 0 {
			t.Errorf("%s has no source", d.Slug)
		}
	}
	out.Reset()
	if code := run([]string{"devices"}, nil, &out, &errs); code != 0 || !strings.Contains(out.String(), "85,520,809,984") {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}
