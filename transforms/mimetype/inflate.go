package mimetype

import (
	"sync"

	"github.com/gleaner-web/gleaner/io/stream/inflate"
)

// inflater decodes the beginning of a member.
type inflater struct {
	decoder inflate.Decoder
	content []byte
}

var inflaters = sync.Pool{New: func() any { return new(inflater) }}

// inflated returns what use makes of up to limit bytes of what was deflated; of what is cut or damaged, of those before
// the damage. use does not keep them.
func inflated(deflated []byte, limit int, use func(content []byte) string) string {
	f := inflaters.Get().(*inflater)
	defer inflaters.Put(f)
	if cap(f.content) < limit {
		f.content = make([]byte, 0, limit)
	}
	f.decoder.Reset()
	content, _, _ := f.decoder.Decode(f.content[:0:limit], deflated)
	return use(content)
}
