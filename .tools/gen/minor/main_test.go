package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestClean(t *testing.T) {
	for message, want := range map[string]string{
		"Gardar $1 cambios en {{SITENAME|x}}": "Gardar cambios en x}}",
		"Abrir <b>%s</b> agora":               "Abrir agora",
		"ver https://example.org/a agora":     "ver agora",
		"Editar":                              "",
	} {
		if got := clean(message); got != want {
			t.Errorf("clean(%q) = %q, want %q", message, got, want)
		}
	}
}

func TestIsKept(t *testing.T) {
	for name, want := range map[string]bool{
		"/a/mediawiki/includes/installer/i18n/gl.json": true,
		"/a/mediawiki/languages/i18n/gl.json":          false,
	} {
		if got := isKept(name); got != want {
			t.Errorf("isKept(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestReadMO(t *testing.T) {
	// The header, two messages and two translations. The first message is empty: its translation is about the file.
	file := "\xde\x12\x04\x95" + "\x00\x00\x00\x00" + "\x02\x00\x00\x00" + "\x1c\x00\x00\x00" + "\x2c\x00\x00\x00" +
		"\x00\x00\x00\x00" + "\x00\x00\x00\x00" +
		"\x00\x00\x00\x00" + "\x3c\x00\x00\x00" + "\x04\x00\x00\x00" + "\x3d\x00\x00\x00" +
		"\x01\x00\x00\x00" + "\x42\x00\x00\x00" + "\x05\x00\x00\x00" + "\x44\x00\x00\x00" +
		"\x00" + "Open\x00" + "h\x00" + "Abrir\x00"
	name := filepath.Join(t.TempDir(), "a.mo")
	if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := readMO(name, func(m string) { got = append(got, m) }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Abrir"}, got); diff != "" {
		t.Errorf("readMO (-want +got):\n%s", diff)
	}
	if err := os.WriteFile(name, []byte("no catalogue"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := readMO(name, func(string) {}); err == nil {
		t.Error("readMO of another file: no error")
	}
}

// After "a" comes "b" in two words of two. The rest of the likelihood is that of the letters alone.
func TestNewModel(t *testing.T) {
	m := newModel([]string{"ab ab", "ac ab"})
	if m.letters != 8 {
		t.Errorf("letters = %d, want 8", m.letters)
	}
	if b, c := m.logs["ab"], m.logs["ac"]; b <= c || b > 0 {
		t.Errorf("logs of ab and ac = %v and %v, want the first to be likelier", b, c)
	}
	sum := math.Exp(m.logs["aa"]) + math.Exp(m.logs["ab"]) + math.Exp(m.logs["ac"])
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the letters after a have %v, want 1", sum)
	}
}

func TestAlphabets(t *testing.T) {
	m := model{script: 1, logs: map[string]float64{"ж": -1, "b": -3, "а": -2, "жа": -1}}
	if diff := cmp.Diff([]string{"", "аж"}, alphabets([]model{m})); diff != "" {
		t.Errorf("alphabets (-want +got):\n%s", diff)
	}
}
