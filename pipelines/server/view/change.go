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

// What a version is against the one before it.
const (
	changeFirst    = "first"
	changeSame     = "same"      // the payload is the same
	changeSameText = "same text" // the payload is another, and its text the same
	changeChanged  = "changed"
	changeUnknown  = "unknown" // nothing tells
)

// Bounds of what is read to compare versions of one page, in bodies and in bytes of them.
const (
	maxBodies     = 32
	maxBodyBytes  = 8 << 20
	maxTextBodies = 64 << 20 // that the texts of all versions are of
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

// changes tells of each version what it is against the one before.
func (v *Views) changes(ctx context.Context, now *shelf.Snapshot, q query.Query, f *found) ([]string, error) {
	c := &comparing{v: v, now: now, list: f.list, bodies: map[string][sha256.Size]byte{}}
	// Payloads first, which needs no archive in most cases; texts only where they differ.
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
	// Read once, for all pairs that are open.
	if err := c.readTexts(ctx, q); err != nil {
		return nil, err
	}
	// Texts that were too much to read leave the answer as it is.
	for _, i := range unsettled {
		// What was not read is not the same as anything.
		a, is := c.texts[placeOf(f.original(f.list[i-1]))]
		if b, also := c.texts[placeOf(f.original(f.list[i]))]; is && also && a == b {
			said[i] = changeSameText
		}
	}
	return said, nil
}

// payloads compares payloads: by their declared digests, in whatever spelling, and where these are in two algorithms,
// or may be of two codings of one body, by the bodies.
func (c *comparing) payloads(ctx context.Context, a, b *schemas.Document) string {
	// By value; known is false where the algorithms differ.
	same, known := digest.Compare(a.Digest, b.Digest)
	switch {
	case same:
		return changeSame
	// A revisit whose original is not here has no body.
	case a.RecordType == schemas.TypeRevisit || b.RecordType == schemas.TypeRevisit:
	// Decoded bodies of two sizes cannot be the same.
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

// body is the hash of a decoded body, which is read from the archive, for a few of one page.
func (c *comparing) body(ctx context.Context, d *schemas.Document) (sum [sha256.Size]byte, ok bool) {
	// Once for each body, although a version is compared with two others.
	place := placeOf(d)
	if sum, ok = c.bodies[place]; ok {
		return sum, true
	}
	// Damaged bodies are not compared: they may differ by the damage alone.
	if c.v.o.Store == nil || c.reads >= maxBodies || d.BodyBytes > maxBodyBytes || schemas.Damaged(d.Flags) {
		return sum, false
	}
	// Reads that fail count as well, since they take time too.
	c.reads++
	capture, err := c.v.Exporter(c.now.DB).Capture(ctx, d)
	// An archive that is not there only leaves the question open.
	if err != nil {
		return sum, false
	}
	// A hash is enough, and does not keep the body.
	sum = sha256.Sum256(capture.Body)
	c.bodies[place] = sum
	return sum, true
}

// sameWords reports whether two texts can be the same.
func sameWords(a, b *schemas.Document) bool {
	// Without words there is no text that could be the same.
	return a.Quality != nil && b.Quality != nil && a.Quality.Words > 0 && a.Quality.Words == b.Quality.Words
}

// readTexts reads the hashes of the texts of all versions, unless they are too much for one page.
func (c *comparing) readTexts(ctx context.Context, q query.Query) error {
	// Of all versions or of none, so that the answer does not depend on their order.
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

// original is the version that has the payload of a revisit; d itself where there is none, or d is not a revisit.
func (f *found) original(d *schemas.Document) *schemas.Document {
	if d.RecordType != schemas.TypeRevisit {
		return d
	}
	w := revisit.WantedBy(d)
	// Most refer to one shortly before them.
	best, most := d, revisit.None
	for _, c := range slices.Backward(f.list) {
		if e := w.Evidence(c); e > most && c.RecordType != schemas.TypeRevisit {
			best, most = c, e
		}
	}
	return best
}
