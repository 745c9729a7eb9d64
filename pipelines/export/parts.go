package export

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
	"github.com/gleaner-web/gleaner/transforms/replay"
)

const (
	maxParts = 1000 // of a page
	maxDepth = 4    // of parts of parts: a style sheet, one that it imports, and a picture; redirects count too
	maxNear  = 8    // captures before a moment, and after it, that are tried: as in replay
)

// parts adds what pages need to be replayed to an archive: images, styles, fonts, sounds and frames. The nearest
// capture of each is chosen as replay does.
type parts struct {
	w *cutter
	// written has a hash of the place of each record in the archive: 16 bytes a record.
	written map[[16]byte]struct{}
	// known records whether a candidate fits, once it was read. Pages of a site share their parts.
	known map[candidate]bool
}

// candidate is a capture for a use: the hash of its place.
type candidate struct {
	place [16]byte
	kind  replay.Kind
}

func placeOf(d *schemas.Document) [16]byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s", d.Offset, d.Sequence, d.Filename))
	return [16]byte(sum[:])
}

// isNew reports whether a record was not written yet, and marks it as written.
func (p *parts) isNew(d *schemas.Document) bool {
	key := placeOf(d)
	_, known := p.written[key]
	p.written[key] = struct{}{}
	return !known
}

// of writes the parts of a capture.
func (p *parts) of(d *schemas.Document, c *schemas.Capture, depth int) error {
	at := c.Timestamp
	if at.IsZero() || depth == maxDepth {
		return nil // without a time, no capture is the nearest
	}
	if d.RecordType == schemas.TypeRevisit {
		return p.original(d, at, depth)
	}
	for _, part := range embedded(c) {
		if err := p.near(part.kind, part.url, at, depth); err != nil {
			return err
		}
	}
	return nil
}

// original writes the capture that a revisit refers to, with its parts.
func (p *parts) original(d *schemas.Document, at time.Time, depth int) error {
	list, err := p.w.db.Originals(p.w.ctx, d)
	if err != nil {
		return err
	}
	var l lost
	list = slices.DeleteFunc(list, func(o *schemas.Document) bool { return o.RecordType == schemas.TypeRevisit })
	for _, o := range list[:min(len(list), maxTried)] {
		c, err := p.read(o, &l)
		if c == nil || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		c.Timestamp = cmpTime(c.Timestamp, at)
		return p.add(o, c, depth)
	}
	p.w.lose(l.name, l.why)
	return nil
}

// cmpTime returns the first time that is known.
func cmpTime(a, b time.Time) time.Time {
	if a.IsZero() {
		return b
	}
	return a
}

// near writes the nearest capture of a URL that fits to its use.
func (p *parts) near(kind replay.Kind, url string, at time.Time, depth int) error {
	list, err := p.w.db.Near(p.w.ctx, url, at, maxNear, revisit.Columns)
	if errors.Is(err, contentdb.ErrURL) {
		return nil // it has no capture
	}
	if err != nil {
		return err
	}
	var l lost
	for _, d := range list {
		key := candidate{placeOf(d), kind}
		if fits, is := p.known[key]; fits {
			return nil // it was written with its parts
		} else if is {
			continue
		}
		c, err := p.read(d, &l)
		if err != nil {
			return err
		}
		// The target of a redirect depends on the time, so that is read again.
		if c == nil || !IsRedirect(c) {
			p.known[key] = c != nil && (d.RecordType == schemas.TypeRevisit || Fits(kind, c))
		}
		switch {
		case c == nil:
		// The payload is that of the original, which has the type.
		case d.RecordType == schemas.TypeRevisit, IsRedirect(c), Fits(kind, c):
			if err := p.add(d, c, depth); err != nil || !IsRedirect(c) || depth+1 >= maxDepth {
				return err
			}
			to := ""
			address := func(_ replay.Kind, url string) string {
				to = url
				return url
			}
			replay.Address(kind, c.Get("Location"), replay.Options{URL: c.URL, Address: address})
			if to == "" || to == url {
				return nil
			}
			return p.near(kind, to, at, depth+1)
		case schemas.Damaged(c.Flags) && !schemas.Damaged(d.Flags):
			l.note(d, errDamaged)
		}
	}
	p.w.lose(l.name, l.why)
	return nil
}

// lost is the first capture of a part that cannot be read. It is missing if no other stands in for it.
type lost struct {
	name string // of its archive
	why  error
}

func (l *lost) note(d *schemas.Document, why error) {
	if l.why == nil {
		*l = lost{d.Filename, why}
	}
}

// errDamaged means that a part is not what it was, so that it does not fit to its use.
var errDamaged = errors.New("the record is damaged, and was not when the archive was read")

// read reads a capture. It returns nil if the capture may not be read, or cannot be, which it notes in l.
func (p *parts) read(d *schemas.Document, l *lost) (*schemas.Capture, error) {
	if err := p.w.ctx.Err(); err != nil {
		return nil, err
	}
	if !p.w.db.MayRead(d) {
		return nil, nil
	}
	var c *schemas.Capture
	err := p.w.open(d.Filename)
	if err == nil {
		c, err = p.w.capture(d)
	}
	if err == nil {
		return c, nil
	}
	l.note(d, err)
	return nil, p.w.ctx.Err()
}

// add writes a capture and its parts, unless it was written before.
func (p *parts) add(d *schemas.Document, c *schemas.Capture, depth int) error {
	if !p.isNew(d) {
		return nil
	}
	if err := p.w.write(c); err != nil {
		return err
	}
	p.w.compare(d, c)
	p.w.parts++
	return p.of(d, c, depth+1)
}

// part is a use of a URL.
type part struct {
	kind replay.Kind
	url  string
}

// embedded returns the parts that a page or a style sheet names, each once.
func embedded(c *schemas.Capture) (list []part) {
	seen := map[part]bool{}
	o := replay.Options{URL: c.URL, Address: func(kind replay.Kind, url string) string {
		one := part{kind, url}
		if kind != replay.Link && !seen[one] && len(list) < maxParts {
			seen[one] = true
			list = append(list, one)
		}
		return url
	}}
	switch media := MediaOf(c); {
	case mimetype.IsHTML(media):
		// The markup itself is not needed, and a page that cannot be read has no parts.
		_, _, _ = replay.HTML(TextOf(c), o)
	case media == "text/css":
		replay.CSS(TextOf(c), o)
	}
	return list
}
