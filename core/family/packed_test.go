package family

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestPacked: every family file is the same packed and unpacked as it is read, but for the numbers of its lines.
func TestPacked(t *testing.T) {
	files, err := filepath.Glob("families/*.arch")
	if err != nil || len(files) < 100 {
		t.Fatal(len(files), err)
	}
	lib, part := NewLibrary(), NewLibrary()
	var names []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".arch")
		names = append(names, name)
		lib.Add(name, string(text))
	}
	bundle, fail := lib.Pack(names)
	if fail != nil {
		t.Fatal(fail)
	}
	part.AddPacked(bundle)
	part.AddPacked(bundle) // what is there stays
	if !reflect.DeepEqual(part.Types(), lib.Types()) {
		t.Errorf("types %q", part.Types())
	}
	if len(part.files) != len(files) {
		t.Fatalf("%d files of %d", len(part.files), len(files))
	}
	for i, in := range lib.files {
		p := &fileParser{file: in.name + ".arch", fam: &family{file: in.name + ".arch"}}
		p.split(in.text)
		for i := range p.lines {
			p.lines[i].no = 0
		}
		for p.err == nil && p.at < len(p.lines) {
			p.topLevel()
		}
		if p.err != nil {
			t.Fatal(p.err)
		}
		packed := part.files[i]
		got, fail := packed.read(in.name+".arch", packed.text)
		if fail != nil || !reflect.DeepEqual(got, p.fam) {
			t.Errorf("%s is another when it is packed: %v", in.name, fail)
		}
	}
	if _, fail := lib.Pack([]string{"none"}); fail == nil {
		t.Error("a file that is not there is packed")
	}
}

// TestPackedNumbers: any number that a file may hold comes back.
func TestPackedNumbers(t *testing.T) {
	for _, n := range []int64{0, 1, 29, 30, 31, 899, 900, 1<<31 - 1, 1<<63 - 1} {
		var p packer
		p.long(n)
		p.word("ä <&")
		u := unpacker{text: string(p.out)}
		if got := u.num(); got != n || u.word() != "ä <&" || u.at != len(u.text) {
			t.Errorf("%d is read as %d", n, got)
		}
	}
}
