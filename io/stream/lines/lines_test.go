package lines

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// readAll returns the lines of in, and the text of errors except for io.EOF.
func readAll(t testing.TB, in io.Reader, maxBytes int) []string {
	t.Helper()
	r, err := NewReader(in, maxBytes)
	if err != nil {
		return []string{err.Error()}
	}
	var got []string
	for {
		line, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return got
		case err == nil:
			got = append(got, string(line))
		case errors.Is(err, ErrTooLong):
			got = append(got, err.Error())
		default:
			return append(got, err.Error())
		}
	}
}

func compressed(t testing.TB, parts ...string) (zipped, zstded []byte) {
	t.Helper()
	var z bytes.Buffer
	for _, part := range parts {
		w := gzip.NewWriter(&z)
		if _, err := io.WriteString(w, part); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	zstded = []byte("\x5e\x2a\x4d\x18\x02\x00\x00\x00xx") // a skippable frame
	for _, part := range parts {
		zstded = enc.EncodeAll([]byte(part), zstded)
	}
	return z.Bytes(), zstded
}

func TestReader(t *testing.T) {
	long := strings.Repeat("x", 3*bufferBytes)
	tests := []struct {
		name, in string
		want     []string
	}{
		{"empty", "", nil},
		{"line ends", "a\nb\r\n\n\r\nc", []string{"a", "b", "c"}},
		{"longer than the buffer", "a\n" + long + "\nb\n", []string{"a", long, "b"}},
		{"too long", "a\n" + long + long + "\nb\n", []string{"a", "line 2 at byte 2: line too long", "b"}},
		{"too long at the end", "a\n" + long + long, []string{"a", "line 2 at byte 2: line too long"}},
		{"at the limit", strings.Repeat("y", 4*bufferBytes) + "\r\n", []string{strings.Repeat("y", 4*bufferBytes)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			zipped, zstded := compressed(t, tt.in[:len(tt.in)/2], tt.in[len(tt.in)/2:])
			for form, in := range map[string][]byte{"plain": []byte(tt.in), "gzip": zipped, "zstd": zstded} {
				if diff := cmp.Diff(tt.want, readAll(t, bytes.NewReader(in), 4*bufferBytes)); diff != "" {
					t.Errorf("%s: -want +got:\n%s", form, diff)
				}
			}
		})
	}
}

func TestReader_errorIsPlacedAndFinal(t *testing.T) {
	broken := errors.New("broken disk")
	r, err := NewReader(io.MultiReader(strings.NewReader("one\ntw"), iotest.ErrReader(broken)), 100)
	if err != nil {
		t.Fatal(err)
	}
	if line, err := r.Next(); string(line) != "one" || err != nil {
		t.Fatalf("Next() = %q, %v", line, err)
	}
	for range 2 {
		line, err := r.Next()
		var at *Error
		if !errors.Is(err, broken) || !errors.As(err, &at) || at.Line != 2 || at.Offset != 4 {
			t.Errorf("Next() = %q, %v", line, err)
		}
	}
}

func TestReader_badGzipHeader(t *testing.T) {
	if _, err := NewReader(strings.NewReader("\x1f\x8b\x00\x00"), 100); err == nil {
		t.Error("NewReader succeeds")
	}
}

func ExampleReader() {
	r, err := NewReader(strings.NewReader("first\n\nthe second one\nthird"), 10)
	if err != nil {
		panic(err)
	}
	for {
		line, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		fmt.Printf("%q %v\n", line, err)
	}
	// Output:
	// "first" <nil>
	// "" line 3 at byte 7: line too long
	// "third" <nil>
}

func FuzzReader(f *testing.F) {
	zipped, zstded := compressed(f, "a\nb", "c\n")
	f.Add([]byte("a\r\nb"), 10)
	f.Add(zipped, 10)
	f.Add(zstded, 1)
	f.Fuzz(func(t *testing.T, in []byte, maxBytes int) {
		maxBytes = min(max(maxBytes, 1), 1<<20)
		r, err := NewReader(bytes.NewReader(in), maxBytes)
		if err != nil {
			return
		}
		for {
			line, err := r.Next()
			if err != nil && !errors.Is(err, ErrTooLong) {
				return
			}
			if err == nil && (len(line) == 0 || len(line) > maxBytes || bytes.IndexByte(line, '\n') >= 0) {
				t.Fatalf("line of %d bytes: %.100q", len(line), line)
			}
		}
	})
}

// TestReader_firstReadFails: a source that fails once and then goes on has been read wrongly all the same.
func TestReader_firstReadFails(t *testing.T) {
	zipped, _ := compressed(t, "one\n")
	for _, in := range []string{"one\n", string(zipped)} {
		source := &failsOnce{r: strings.NewReader(in)}
		if got := readAll(t, source, 100); len(got) != 1 || !strings.Contains(got[0], errOnce.Error()) {
			t.Errorf("lines of a source that failed: %q, want its error", got)
		}
	}
}

var errOnce = errors.New("failed once")

// failsOnce is a source whose first read fails.
type failsOnce struct {
	r      io.Reader
	failed bool
}

func (f *failsOnce) Read(p []byte) (int, error) {
	if !f.failed {
		f.failed = true
		return 0, errOnce
	}
	return f.r.Read(p)
}
