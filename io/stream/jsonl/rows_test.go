package jsonl_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/stream/jsonl"
)

// written is a file of n rows, each with its number and some bytes that do not compress away.
func written(t testing.TB, c jsonl.Compression, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := jsonl.NewWriter(&b, c)
	if err != nil {
		t.Fatal(err)
	}
	seed := uint32(1)
	for i := range n {
		var fill strings.Builder
		for range 100 {
			seed = seed*1664525 + 1013904223
			fmt.Fprintf(&fill, "%08x", seed)
		}
		if err := w.Write(map[string]any{"n": i, "fill": fill.String()}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestOutline(t *testing.T) {
	const n = 12_000 // three frames
	for _, c := range []jsonl.Compression{jsonl.Zstd, jsonl.Gzip, jsonl.None} {
		t.Run(string(c), func(t *testing.T) {
			file := written(t, c, n)
			r := bytes.NewReader(file)
			o, err := jsonl.NewOutline(r, r.Size())
			if err != nil || o.Rows() != n {
				t.Fatalf("NewOutline: %d rows, %v, want %d", o.Rows(), err, n)
			}
			want := []int64{0, 1, 1, 5_000, 9_999, n - 1}
			var got []int64
			err = o.Each(r, want, func(row int64, line []byte) error {
				if begin := fmt.Sprintf(`"n":%d}`, row); !bytes.HasSuffix(line, []byte(begin)) {
					t.Errorf("row %d ends in %s", row, line[len(line)-20:])
				}
				got = append(got, row)
				return nil
			})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("Each gave %v, %v, want %v", got, err, want)
			}
			if err := o.Each(r, []int64{n}, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("Each of a row beyond the end: %v", err)
			}
		})
	}
}

// TestOutline_readsLittle: of a zstd file with three frames a row in the last one takes one of them.
func TestOutline_readsLittle(t *testing.T) {
	file := written(t, jsonl.Zstd, 12_000)
	o, err := jsonl.NewOutline(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	r := &counted{r: bytes.NewReader(file)}
	if err := o.Each(r, []int64{11_999}, func(int64, []byte) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if r.n > len(file)/2 {
		t.Errorf("one row took %d of %d bytes", r.n, len(file))
	}
}

type counted struct {
	r io.ReaderAt
	n int
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.r.ReadAt(p, at)
	c.n += n
	return n, err
}

func TestOutline_empty(t *testing.T) {
	for _, c := range []jsonl.Compression{jsonl.Zstd, jsonl.Gzip, jsonl.None} {
		file := written(t, c, 0)
		if o, err := jsonl.NewOutline(bytes.NewReader(file), int64(len(file))); err != nil || o.Rows() != 0 {
			t.Errorf("%s: %v", c, err)
		}
	}
}

// FuzzOutline: any bytes give an error or rows that are those of Reader, in order.
func FuzzOutline(f *testing.F) {
	for _, c := range []jsonl.Compression{jsonl.Zstd, jsonl.Gzip, jsonl.None} {
		f.Add(written(f, c, 3))
	}
	two := append(written(f, jsonl.Zstd, 2), written(f, jsonl.Zstd, 1)...)
	f.Add(two)
	f.Add(two[:len(two)-5])
	f.Fuzz(func(t *testing.T, file []byte) {
		o, err := jsonl.NewOutline(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		r, err := jsonl.NewReader(bytes.NewReader(file))
		if err != nil {
			t.Fatalf("an outline of what cannot be read: %v", err)
		}
		var rows []int64
		for i := range o.Rows() {
			rows = append(rows, i)
		}
		if err := o.Each(bytes.NewReader(file), rows, func(row int64, line []byte) error {
			want, err := r.Next()
			if err != nil || !bytes.Equal(want, line) {
				t.Fatalf("row %d is %q, and %q, %v in order", row, line, want, err)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	})
}
