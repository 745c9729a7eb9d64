package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The files in the repository are up to date. The test downloads 9 MB:
//
//	GENERATE=1 go test ./.tools/gen/cldr
func TestRun_areTheFilesInTheRepository(t *testing.T) {
	if os.Getenv("GENERATE") == "" {
		t.Skip("set GENERATE=1 to make the files again, with npm")
	}
	out := t.TempDir()
	if err := run(out, ""); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"words.txt", "currencies.tsv.zst"} {
		want, err := os.ReadFile(filepath.Join(filepath.FromSlash("../../../transforms/cldr"), name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator makes: run go generate ./transforms/cldr", name)
		}
	}
}

func TestCurrencies_format(t *testing.T) {
	c := currencies{}
	file := `{"main":{"de":{"numbers":{"currencies":{
		"CAD":{"displayName":"Kanadischer Dollar","displayName-count-other":"Kanadische Dollar","symbol":"CA $"},
		"USD":{"displayName":"US-Dollar"},"EUR":{"displayName":"Euro"},"BEC":{"displayName":"Franc (konvertibel)"},
		"SYP":{"displayName":"Neue Pfund"},"GBP":{"displayName":"Neue Pfund"}}}}}}`
	if err := c.add([]byte(file), "de"); err != nil {
		t.Fatal(err)
	}
	want := "kanadische dollar\tCAD\nkanadischen dollar\tCAD\nus-dollar\tUSD\n"
	if got := string(c.format()); got != want {
		t.Errorf("format = %q, want %q", got, want)
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
