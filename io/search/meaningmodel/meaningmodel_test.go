package meaningmodel

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheck: Check and the first use agree on files that are missing or not files.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"whole/model.safetensors": "x", "whole/tokenizer.json": "{}", "alone/model.safetensors": "x",
		"tokens/tokenizer.json": "{}", "folder/tokenizer.json/x": "", "folder/model.safetensors": "x",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ name, want string }{
		{"whole", ""},
		{"whole/model.safetensors", ""},
		{"none", "no such file"},
		{"alone", "needs the tokenizer.json"},
		{"alone/model.safetensors", "needs the tokenizer.json"},
		{"tokens", "no such file"},
		{"folder", "is not a file"},
	} {
		err := Check(filepath.Join(dir, c.name))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("Check(%s) = %v, want %q", c.name, err, c.want)
		}
		// A whole pair of files is read, and then is not a model.
		if _, used := Opener(filepath.Join(dir, c.name))(); used == nil || err != nil && used.Error() != err.Error() {
			t.Errorf("%s: Check says %v, the first use %v", c.name, err, used)
		}
	}
	if err := Check(""); err != nil {
		t.Error(err)
	}
	if err := Check(os.DevNull); err == nil {
		t.Error("a device is a model")
	}
}
