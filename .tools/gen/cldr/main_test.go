package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The file in the repository is up to date. The test downloads 9 MB:
//
//	GENERATE=1 go test ./.tools/gen/cldr
func TestRun_isTheFileInTheRepository(t *testing.T) {
	if os.Getenv("GENERATE") == "" {
		t.Skip("set GENERATE=1 to make the file again, with npm")
	}
	want, err := os.ReadFile(filepath.FromSlash("../../../transforms/cldr/words.txt"))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "words.txt")
	if err := run(out, ""); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("words.txt is not what the generator makes: run go generate ./transforms/cldr")
	}
}

func TestNames_format(t *testing.T) {
	n := names{}
	n.note("Listopad", 10, "hr")
	n.note("listopad", 11, "pl")
	n.note("listopad", 11, "cs")
	n.note("Sept.", 9, "de")
	n.note("ม.ค.", 1, "th")
	n.note("d’abril", 4, "ca")
	n.note("Mar", 22, "it")
	n.note("M01", 1, "xx")
	n.note("tháng 1", 1, "vi")
	n.note("Ag", 8, "ca")
	n.note("M", 21, "en")
	n.noteScale("10000000-count-other", "0 करोड़", "hi")
	n.noteScale("10000000-count-other", "00 mil'.'", "cs")
	n.noteScale("100000-count-other", "00万", "ja")
	n.noteScale("1000000000-count-other", "0 mil millones", "es")
	n.noteScale("1000-count-other", "0", "ja")
	want := "abril 4 ca\nlistopad 10 hr\nlistopad 11 cs pl\nmar 22 it\nmil 106 cs\nsept 9 de\nकरोड़ 107 hi\nมค 1 th\n" +
		"万 104 ja\n"
	if got := string(n.format()); got != want {
		t.Errorf("format = %q, want %q", got, want)
	}
}
