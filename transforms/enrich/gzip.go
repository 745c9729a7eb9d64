package enrich

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/schemas"
)

// unpacked returns the text in a gzip body, up to any damage and within the limit of feeds.
func (w *work) unpacked() []byte {
	if w.inflated != nil {
		return w.inflated
	}
	const limit = 16 << 20
	out, err := inflate(w.c.Body, limit+1)
	switch {
	case len(out) > limit:
		out = out[:limit]
		w.fail("charset", schemas.KindLimit, fmt.Sprintf("the text in gzip is cut at %d bytes", limit))
	case err != nil:
		w.fail("charset", schemas.KindInflate, fmt.Sprintf("the text in gzip is damaged after %d bytes: %v", len(out), err))
	}
	w.inflated = out
	return w.inflated
}

// inflate returns at most limit bytes of the members of a gzip file. Bytes that begin no member end it, as servers add
// line ends or padding.
func inflate(body []byte, limit int) ([]byte, error) {
	out := bytes.NewBuffer([]byte{})
	var z gzip.Reader
	for in := bytes.NewReader(body); bytes.HasPrefix(body[len(body)-in.Len():], []byte("\x1f\x8b")); {
		switch err := z.Reset(in); {
		case errors.Is(err, gzip.ErrHeader) || err != nil && out.Len() == 0:
			return out.Bytes(), nil
		case err != nil:
			return out.Bytes(), err
		}
		z.Multistream(false)
		if _, err := out.ReadFrom(io.LimitReader(&z, int64(limit-out.Len()))); err != nil || out.Len() >= limit {
			return out.Bytes(), err
		}
	}
	return out.Bytes(), nil
}
