package mimetype

import (
	"sync"

	"github.com/gleaner-web/gleaner/io/stream/inflate"
)

// inflater decodes the beginning of a member. content is its output, used again: bodies are many and a few kilobytes
// are taken of each.
type inflater struct {
	decoder inflate.Decoder
	content []byte
}

// inflaters are kept between bodies, since each holds a decoder's tables and its output.
var inflaters = sync.Pool{New: func() any { return new(inflater) }}

// inflated returns what use makes of up to limit bytes of what was deflated; of what is cut or damaged, of those before
// the damage. use does not keep them.
func inflated(deflated []byte, limit int, use func(content []byte) string) string {
	f := inflaters.Get().(*inflater)
	defer inflaters.Put(f)
	// The largest limit so far decides; later calls with smaller ones take a part.
	if cap(f.content) < limit {
		f.content = make([]byte, 0, limit)
	}
	// Nothing of the last body may be in the decoder's window.
	f.decoder.Reset()
	// The third index bounds the capacity, and so what Decode may write. The errors do not matter:
	// what came out before them is used.
	content, _, _ := f.decoder.Decode(f.content[:0:limit], deflated)
	return use(content)
}
