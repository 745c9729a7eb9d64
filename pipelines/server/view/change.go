package view

import (
	"context"
	"crypto/sha256"
	"slices"

	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/digest"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// These compare a version with the previous one.
const (
	changeFirst    = "first"
	changeSame     = "same"      // the payload is the same
	changeSameText = "same text" // the payload differs, but its text is the same
	changeChanged  = "changed"
	changeUnknown  = "unknown" // it cannot be determined
)

// These limit how much is read to compare versions of a page, in bodies and in their bytes.
const (
	maxBodies     = 32
	maxBodyBytes  = 8 << 20
	maxTextBodies = 64 << 20 // total body size of all versions whose texts are read
)

// comparing compares the versions of a page.
type comparing struct {
	v      *Views
	now    *shelf.Snapshot
	list   []*schemas.Document // oldest first, with versionColumns
	texts  map[string][sha256.Size]byte
	bodies map[string][sha256.Size]byte
	reads  int
}

// changes compares each version with the previous one.
func (v *Views) changes(ctx context.Context, now *shelf.Snapshot, q query.Query, f *found) ([]string, error) {
	c := &comparing{v: v, now: now, list: f.list, bodies: map[string][sha256.Size]byte{}}
	// Payloads come first, since they rarely need an archive. Texts are only compared if payloads differ.
	said := make([]string, len(f.list))
	var unsettled []int
	for i, d := range f.list {
		if i == 0 {
			said[i] = changeFirst
			continue
		}
		// A revisit is compared by the payload that it refers to.
		a, b := f.original(f.list[i-1]), f.original(d)
		// Texts with different numbers of words need not be read.
		if said[i] = c.payloads(ctx, a, b); said[i] != changeSame && sameWords(a, b) {
			unsettled = append(unsettled, i)
		}
	}
	if len(unsettled) == 0 {
		return said, nil
	}
	// They are read once, for all undecided pairs.
	if err := c.readTexts(ctx, q); err != nil {
		return nil, err
	}
	// If the texts were too large to read, the answer stays as it is.
	for _, i := range unsettled {
		// A text that was not read is not the same as any other.
		a, is := c.texts[placeOf(f.original(f.list[i-1]))]
		if b, also := c.texts[placeOf(f.original(f.list[i]))]; is && also && a == b {
			said[i] = changeSameText
		}
	}
	return said, nil
}

// payloads compares payloads by their declared digests, in any spelling. If the digests have different algorithms, or
// may be of different encodings of one body, it compares the bodies.
func (c *comparing) payloads(ctx context.Context, a, b *schemas.Document) string {
	// The values are compared; known is false if the algorithms differ.
	same, known := digest.Compare(a.Digest, b.Digest)
	switch {
	case same:
		return changeSame
	// A revisit whose original is not here has no body.
	case a.RecordType == schemas.TypeRevisit || b.RecordType == schemas.TypeRevisit:
	// Decoded bodies of different sizes cannot be the same.
	case a.BodyBytes != b.BodyBytes:
		return changeChanged
	case a.BodyBytes > 0:
		x, is := c.body(ctx, a)
		y, also := c.body(ctx, b)
		if is && also && x == y {
			return changeSame
		}
		known = known || is && also
	}
	if known {
		return changeChanged
	}
	return changeUnknown
}

// body returns the hash of a decoded body. It reads the body from the archive, but only for a few bodies of each page.
func (c *comparing) body(ctx context.Context, d *schemas.Document) (sum [sha256.Size]byte, ok bool) {
	// Each body is read once, although a version is compared with two others.
	place := placeOf(d)
	if sum, ok = c.bodies[place]; ok {
		return sum, true
	}
	// Damaged bodies are not compared: they may differ only by the damage.
	if c.v.o.Store == nil || c.reads >= maxBodies || d.BodyBytes > maxBodyBytes || schemas.Damaged(d.Flags) {
		return sum, false
	}
	// Failed reads count as well, since they take time too.
	c.reads++
	capture, err := c.v.Exporter(c.now.DB).Capture(ctx, d)
	// A missing archive only leaves the question open.
	if err != nil {
		return sum, false
	}
	// A hash is enough, and the body need not be kept.
	sum = sha256.Sum256(capture.Body)
	c.bodies[place] = sum
	return sum, true
}

// sameWords reports whether two texts may be the same.
func sameWords(a, b *schemas.Document) bool {
	// Without words, no text could be the same.
	return a.Quality != nil && b.Quality != nil && a.Quality.Words > 0 && a.Quality.Words == b.Quality.Words
}

// readTexts reads the hashes of the texts of all versions, unless they are too large for one page.
func (c *comparing) readTexts(ctx context.Context, q query.Query) error {
	// All versions are read or none, so that the answer does not depend on their order.
	all := int64(0)
	for _, d := range c.list {
		if all += d.BodyBytes; all > maxTextBodies {
			return nil
		}
	}
	c.texts = map[string][sha256.Size]byte{}
	for d, err := range c.now.DB.Find(ctx, q, append([]string{"text"}, placeColumns...)) {
		if err != nil {
			return err
		}
		c.texts[placeOf(d)] = sha256.Sum256([]byte(d.Text))
	}
	return nil
}

// original returns the version that has the payload of a revisit. It returns d itself if none has it, or if d is not a
// revisit.
func (f *found) original(d *schemas.Document) *schemas.Document {
	if d.RecordType != schemas.TypeRevisit {
		return d
	}
	w := revisit.WantedBy(d)
	// Most revisits refer to a version shortly before them.
	best, most := d, revisit.None
	for _, c := range slices.Backward(f.list) {
		if e := w.Evidence(c); e > most && c.RecordType != schemas.TypeRevisit {
			best, most = c, e
		}
	}
	return best
}
