package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The file in the repository is what this program makes. It takes 6 MB of downloads:
//
//	GENERATE=1 go test ./.tools/gen/months
func TestRun_isTheFileInTheRepository(t *testing.T) {
	if os.Getenv("GENERATE") == "" {
		t.Skip("set GENERATE=1 to make the file again, with npm")
	}
	want, err := os.ReadFile(filepath.FromSlash("../../../transforms/entity/months.txt"))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "months.txt")
	if err := run(out, ""); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("months.txt is not what the generator makes: run go generate ./transforms/entity")
	}
}

func TestNames_format(t *testing.T) {
	n := names{}
	n.note("Listopad", 10, "hr")
	n.note("listopad", 11, "pl")
	n.note("listopad", 11, "cs")
	n.note("Sept.", 9, "de")
	n.note("sept", 9, "fr")
	n.note("M01", 1, "xx")
	n.note("tháng 1", 1, "vi")
	n.note("Ag", 8, "ca")
	want := "listopad 10 hr\nlistopad 11 cs pl\nsept 9\n"
	if got := string(n.format()); got != want {
		t.Errorf("format = %q, want %q", got, want)
	}
}
