package schemas

import (
	"os/exec"
	"testing"
)

// TestShellWord: a shell gives back the word.
func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{
		"": "''", "a-1_2.warc.gz": "a-1_2.warc.gz", "gs://b/a=1,2@3%20+": "gs://b/a=1,2@3%20+", "a b": "'a b'",
		"it's": `'it'\''s'`, "$HOME*": "'$HOME*'", "水": "'水'", "a\nb": "'a\nb'", "`x`": "'`x`'", "~": "'~'",
	} {
		got := ShellWord(word)
		if got != want {
			t.Errorf("ShellWord(%q) = %s, want %s", word, got, want)
		}
		if out, err := exec.Command("sh", "-c", "printf %s "+got).Output(); err != nil || string(out) != word {
			t.Errorf("a shell reads %s as %q, %v, want %q", got, out, err, word)
		}
	}
}
