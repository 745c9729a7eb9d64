package mimetype

import (
	"sync"

	"github.com/gleaner-web/gleaner/io/stream/inflate"
)

// inflater decodes the beginning of a member. Field content is its output buffer, which is reused: there are many
// bodies, and each needs a few kilobytes.
type inflater struct {
	decoder inflate.Decoder
	content []byte
}

// inflaters are kept between bodies, since each holds a decoder's tables and its output.
var inflaters = sync.Pool{New: func() any { return new(inflater) }}

// inflated returns the result of use for up to limit bytes of the inflated data. For truncated or damaged data these
// are the bytes before the damage. Function use must not keep them.
func inflated(deflated []byte, limit int, use func(content []byte) string) string {
	f := inflaters.Get().(*inflater)
	defer inflaters.Put(f)
	// The largest limit so far decides the size; calls with smaller ones use a part.
	if cap(f.content) < limit {
		f.content = make([]byte, 0, limit)
	}
	// The decoder's window must not hold bytes of the last body.
	f.decoder.Reset()
	// The third index bounds the capacity, and so the output of Decode. Errors do not matter, since the output before
	// them is used.
	content, _, _ := f.decoder.Decode(f.content[:0:limit], deflated)
	return use(content)
}
