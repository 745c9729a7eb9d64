package graph

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/shelftest"
)

// TestGraph_sameCollection: a collection counts once, by whatever names it is given.
func TestGraph_sameCollection(t *testing.T) {
	in, other := linked(t, 20), linked(t, 10)
	home, out := filepath.Dir(in), filepath.Join(t.TempDir(), "graph")
	link := filepath.Join(home, "link")
	if err := os.Symlink(in, link); err != nil {
		t.Fatal(err)
	}
	graph := func(dir string, args ...string) (int, string) {
		cmd := command(t, append([]string{"--output=" + out}, args...)...)
		cmd.Dir = dir
		text, _ := cmd.CombinedOutput() // the exit code tells
		return cmd.ProcessState.ExitCode(), string(text)
	}
	if code, text := graph(home, in); code != 0 {
		t.Fatal(text)
	}
	want := shelftest.Contents(t, out)
	for _, names := range [][]string{
		{"out"},
		{"out", "out"},
		{"out", "./out", "out/"},
		{link},
		{in, "link"},
		{"--collection=out", "out"},
		{"--collection=out,../" + filepath.Base(home) + "/out"},
		{}, // the default
	} {
		code, text := graph(home, names...)
		if code != 0 {
			t.Errorf("%q: exit code %d\n%s", names, code, text)
		}
		shelftest.SameFiles(t, shelftest.Contents(t, out), want)
		again := len(names) > 1 || strings.Contains(strings.Join(names, ""), ",")
		if strings.Contains(text, "once") != again {
			t.Errorf("%q: a warning: %v, want %v\n%s", names, !again, again, text)
		}
	}
	// The same name in another folder is another collection.
	for _, names := range [][]string{{"out"}, {other}, {other, in}} {
		if code, text := graph(filepath.Dir(other), names...); code != 2 || !strings.Contains(text, "--fresh") {
			t.Errorf("%q: exit code %d\n%s", names, code, text)
		}
	}
	// The order of collections does not matter.
	if code, text := graph(home, "--fresh", in, other); code != 0 {
		t.Fatal(text)
	}
	want = shelftest.Contents(t, out)
	if code, text := graph(home, other, in); code != 0 {
		t.Errorf("in another order: exit code %d\n%s", code, text)
	}
	shelftest.SameFiles(t, shelftest.Contents(t, out), want)
	for _, output := range []string{"out", "./out", link} {
		if code, text := graph(home, "--output="+output, in); code != 2 || !strings.Contains(text, "one of the collections") {
			t.Errorf("--output=%s: exit code %d\n%s", output, code, text)
		}
	}
}

// TestOnce: folders in a bucket are compared by their names without users.
func TestOnce(t *testing.T) {
	for _, tt := range []struct{ names, want []string }{
		{[]string{"s3://bucket/out", "s3://bucket/out/"}, []string{"s3://bucket/out"}},
		{[]string{"s3://bucket/a", "s3://bucket/b"}, []string{"s3://bucket/a", "s3://bucket/b"}},
		{[]string{"https://user:pw@a.example/out", "https://a.example/out"}, []string{"https://user:pw@a.example/out"}},
		{[]string{"missing", "other", "./missing"}, []string{"missing", "other"}},
		{nil, nil},
	} {
		if got := once(tt.names); !slices.Equal(got, tt.want) {
			t.Errorf("once(%q) = %q, want %q", tt.names, got, tt.want)
		}
	}
}
