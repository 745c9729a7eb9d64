package main

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// writeModel writes the frequencies of a language in the format of langidentify.
func writeModel(t *testing.T, folder, code, text string) {
	t.Helper()
	f, err := os.Create(filepath.Join(folder, "topwords-"+code+".txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	if _, err := z.Write([]byte("# Count: 1000 MinLogProb: -12.0\n" + text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// Words that languages of a set share equally, words of one letter, and words with apostrophes are left out. Serbian
// is in Latin letters.
func TestRun(t *testing.T) {
	models := t.TempDir()
	for _, set := range sets {
		for code := range strings.FieldsSeq(set) {
			if other, ok := files[code]; ok {
				code = other
			}
			text := "og -3.0\nx -2.0\nd'og -3.0\n"
			switch code {
			case "nl":
				text += "is -4.2\nvan -3.3\nbegrijp -9.0\n" // "is" is Afrikaans as well, whose list lacks it
			case "zu":
				text += "van -9.0\nukuthi -5.0\n"
			case "no":
				text += "ikke -5.54\nei -11.0\n"
			case "nn":
				text += "ikkje -5.5\nei -6.5\n"
			case "sr":
				text = "и -2.0\nљубав -9.0\nog -3.0\n"
			}
			writeModel(t, models, code, text)
		}
	}
	writeModel(t, models, "en", "is -4.0\nvan -10.0\nei -11.0\n")
	out := filepath.Join(t.TempDir(), "relatives.tsv")
	if err := run(models, out); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	want := "begrijp\tnl=3.0\nei\tnb=1.0 nn=5.5\nikke\tnb=6.5\nikkje\tnn=6.5\nljubav\tsr-Latn=3.0\nukuthi\tzu=7.0\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestRun_badModels(t *testing.T) {
	out := filepath.Join(t.TempDir(), "relatives.tsv")
	models := t.TempDir()
	if err := run(models, out); err == nil {
		t.Error("no frequencies and no error")
	}
	writeModel(t, models, "bs", "og often\n")
	if err := run(models, out); err == nil {
		t.Error("a frequency that is no number and no error")
	}
}
