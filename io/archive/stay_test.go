package archive

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestCaptures_stay: captures are enriched later and concurrently. So a capture must not change after the others are
// read, the reader is closed, and readers of other files use its memory again.
func TestCaptures_stay(t *testing.T) {
	type kept struct {
		name    string
		capture *schemas.Capture
		bytes   []byte
	}
	bytesOf := func(t *testing.T, c *schemas.Capture) []byte {
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
		for c, err := range r.Captures() {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, kept{name, c, bytesOf(t, c)})
		}
	})
	if len(all) < 1000 {
		t.Errorf("%d captures: the corpora have more", len(all))
	}
	for _, k := range all {
		if !bytes.Equal(k.bytes, bytesOf(t, k.capture)) {
			t.Errorf("%s: the capture of %s has changed", k.name, k.capture.URL)
		}
	}
}
