package dump_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

const pagePath = "a.example/http%3A%2F%2Fa.example%2F"

func readWhole(t testing.TB, path string, b []byte, f dump.Whole, o dump.Options) (*schemas.Capture, schemas.Counts) {
	t.Helper()
	in := dump.Input{Name: path, Size: int64(len(b)), End: int64(len(b)), ReadFile: func(name string) ([]byte, error) {
		if name != "META" {
			return nil, fs.ErrNotExist
		}
		return []byte("http://meta.example/"), nil
	}}
	r := dump.NewWholeReader(bytes.NewReader(b), in, f, o)
	defer r.Close()
	item, err := r.Next()
	if err != nil && err != io.EOF {
		t.Fatal(err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("a second item, or %v", err)
	}
	if n := r.Counts().BytesRead; n != int64(len(b)) || r.NextStart() != n {
		t.Errorf("%d bytes read of %d, arrived at %d", n, len(b), r.NextStart())
	}
	return item.Capture, r.Counts()
}

func TestWholeReader(t *testing.T) {
	text := strings.Repeat("<p>some text of a page that compresses", 200)
	z := compressed(t, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, text)
	bomb := compressed(t, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, strings.Repeat("\x00", 12<<20))
	for _, tt := range []struct {
		name string
		b    []byte
		size int
		flag schemas.Flag
	}{
		{"plain", []byte(text), len(text), ""},
		{"zlib", z, len(text), ""},
		{"zlib, cut", z[:len(z)-30], 0, schemas.FlagInflate},
		{"zlib, wrong checksum", append(bytes.Clone(z[:len(z)-1]), z[len(z)-1]^1), len(text), schemas.FlagInflate},
		{"text that begins like zlib", []byte("80" + text), len(text) + 2, ""},
		{"bomb", bomb, 1 << 20, schemas.FlagBody},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, _ := readWhole(t, pagePath, tt.b, ache.HTML{}, dump.Options{MaxBody: 1 << 20})
			if c == nil || tt.size > 0 && len(c.Body) != tt.size || len(c.Body) == 0 || tt.flag != "" && !c.HasFlag(tt.flag) {
				t.Fatalf("capture %+v, want a body of %d bytes and the flag %q", c, tt.size, tt.flag)
			}
			if tt.flag == "" && len(c.Flags) != 1 { // the time is not known
				t.Errorf("flags %v", c.Flags)
			}
		})
	}
}

// described is a format in which another file says what the pages are.
type described struct{}

func (described) Match(string, []byte) bool { return true }

func (described) Capture(f dump.File, _ payload.Options) (*schemas.Capture, []string, error) {
	if f.Path == "META" {
		return nil, nil, nil
	}
	url, err := f.ReadFile("META")
	if err != nil {
		return nil, nil, err
	}
	if _, err := f.ReadFile("other"); !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	return &schemas.Capture{URL: string(url), Body: bytes.Clone(f.Bytes)}, nil, nil
}

func TestWholeReader_neighbors(t *testing.T) {
	if c, _ := readWhole(t, "page", []byte("x"), described{}, dump.Options{}); c == nil ||
		c.URL != "http://meta.example/" {
		t.Errorf("capture %+v", c)
	}
	if c, counts := readWhole(t, "META", []byte("x"), described{}, dump.Options{}); c != nil || counts.Records != 1 ||
		counts.Rejects != 0 {
		t.Errorf("a file that describes others is %+v, %+v", c, counts)
	}
}

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	f, err := dump.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	write := func(name, text string) dump.Output {
		t.Helper()
		out, err := f.Create(name)
		if err == nil {
			_, err = io.WriteString(out, text)
		}
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	write("a/b", "gone").Abort()
	if err := write("a/b", "first").Close(); err != nil {
		t.Fatal(err)
	}
	second := write("a/b", "second")
	if b, err := os.ReadFile(filepath.Join(dir, "a/b")); err != nil || string(b) != "first" {
		t.Errorf("before the second file is closed there is %q, %v", b, err)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "a/b"))
	entries, _ := os.ReadDir(filepath.Join(dir, "a"))
	if err != nil || string(b) != "second" || len(entries) != 1 {
		t.Errorf("there is %q, %v, among %v", b, err, entries)
	}
	for _, name := range []string{
		"", ".", "..", "../x", "a/../../x", "/x", "a//b", `a\b`, "a\x00",
		strings.Repeat("a", 256), "a/" + strings.Repeat("é", 128),
	} {
		if _, err := f.Create(name); !errors.Is(err, dump.ErrRefused) {
			t.Errorf("Create(%q): error %v, want that it is refused", name, err)
		}
	}
	if _, err := f.Create(strings.Repeat("a", 255)); err != nil {
		t.Errorf("a name of 255 bytes: %v", err)
	}
}

// TestFolder_links: a link in the folder does not lead out of it.
func TestFolder_links(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "host.example")); err != nil {
		t.Skip(err)
	}
	f, err := dump.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	if out, err := f.Create("host.example/page"); err == nil {
		t.Errorf("a file was made behind a link: %v", out)
	}
}
