package archive

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestCaptures_stay: a capture is what it was when it was read after all others, when the reader is closed, and when
// its memory was given to readers of other files: what is read is enriched side by side, and later.
func TestCaptures_stay(t *testing.T) {
	type kept struct {
		name    string
		capture *schemas.Capture
		print   []byte
	}
	print := func(c *schemas.Capture) []byte {
		head, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		return append(head, c.Body...)
	}
	var all []kept
	corpusFiles(t, func(t *testing.T, name string, data []byte) {
		src := bytes.NewReader(data)
		f, err := Detect(name, src, src.Size())
		if err != nil {
			return // no archive
		}
		r, err := NewReader(src, Input{Name: name, End: src.Size(), Size: src.Size()}, f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for {
			item, err := r.Next()
			if err != nil {
				if err != io.EOF {
					t.Fatal(err)
				}
				return
			}
			if c := item.Capture; c != nil {
				all = append(all, kept{name, c, print(c)})
			}
		}
	})
	for _, k := range all {
		if !bytes.Equal(k.print, print(k.capture)) {
			t.Errorf("%s: the capture of %s has changed", k.name, k.capture.URL)
		}
	}
	t.Logf("%d captures", len(all))
}
