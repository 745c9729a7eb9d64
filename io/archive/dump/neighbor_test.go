package dump_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// inAnother is a format in which the URL of a file is in another file, which it names. It counts how often those are
// looked into.
type inAnother struct{ made *int }

func (inAnother) Match(string, []byte) bool { return true }

func (d inAnother) Capture(f dump.File, _ payload.Options) (*schemas.Capture, []string, error) {
	url, err := dump.Made(f, string(f.Bytes), func(b []byte) string { *d.made++; return string(b) })
	if err == nil && f.Exists != nil {
		_, err = f.Exists(url)
	}
	return &schemas.Capture{URL: url}, nil, err
}

// next reads a file with the given content.
func next(in dump.Input, f dump.Whole, content string) (dump.Item, schemas.Counts, error) {
	in.Size = int64(len(content))
	r := dump.NewWholeReader(bytes.NewReader([]byte(content)), in, f, dump.Options{})
	item, err := r.Next()
	return item, r.Counts(), err
}

// TestMade_keepsTwo: the results of the last two neighbors are not made again.
func TestMade_keepsTwo(t *testing.T) {
	made := 0
	in := dump.Input{Kept: new(dump.Kept), ReadFile: func(path string) ([]byte, error) {
		return []byte("http://" + path),
			nil
	}}
	for i, name := range []string{"a", "b", "a", "b", "a", "c", "a", "b"} {
		item, _, err := next(in, inAnother{&made}, name)
		if err != nil || item.Capture.URL != "http://"+name {
			t.Fatalf("file %d: %+v, %v", i, item, err)
		}
	}
	if made != 4 {
		t.Errorf("neighbors were read %d times, want 4", made)
	}
}

// TestWholeReader_neighborErrors: a neighbor that is not there or too large is the file's matter; one that cannot be
// read ends reading.
func TestWholeReader_neighborErrors(t *testing.T) {
	gone := errors.New("gone")
	for _, tt := range []struct {
		read, exists, want error
		kind               schemas.Kind
	}{
		{fs.ErrNotExist, nil, nil, schemas.KindGarbage},
		{fmt.Errorf("x: %w", dump.ErrLimit), nil, nil, schemas.KindLimit},
		{gone, nil, gone, ""},
		{nil, gone, gone, ""},
		{nil, nil, nil, ""},
	} {
		in := dump.Input{
			ReadFile: func(string) ([]byte, error) { return nil, tt.read },
			Exists:   func(string) (bool, error) { return true, tt.exists },
		}
		_, counts, err := next(in, inAnother{new(int)}, "a")
		if !errors.Is(err, tt.want) || counts.ByReject[string(tt.kind)] != counts.Rejects ||
			(counts.Rejects == 1) != (tt.kind != "") {
			t.Errorf("reading gives %v, asking %v: %v, rejects %v; want %v, %s", tt.read, tt.exists, err, counts.ByReject,
				tt.want, tt.kind)
		}
	}
}
