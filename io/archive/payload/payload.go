// Package payload fills a capture from the block of an archive record. It parses the HTTP head, undoes the codings of
// the body and checks the digests. WARC and ARC share it.
//
//	var c schemas.Capture
//	quirks := payload.HTTP(&c, payload.Block{Bytes: block, Size: int64(len(block))}, payload.Options{})
package payload

import (
	"cmp"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive/httpmsg"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/digest"
)

// Options limit the work; the zero value takes the defaults.
type Options struct {
	MaxBody  int64 // bytes of a decoded body; 32 MiB
	MaxRatio int64 // decoded bytes a stored one, above 1 MiB; 1000, the maximum of deflate
	// HeadOnly leaves the body nil, does not undo codings and does not check declared digests. It is for indexes, where
	// that would be most of the work.
	HeadOnly bool
	// Borrow lets the body share the memory of the block.
	Borrow bool
	// Copy adds Capture.Block, from which a copy of the record can be written.
	Copy bool
}

func (o Options) withDefaults() Options {
	o.MaxBody = cmp.Or(o.MaxBody, 32<<20)
	o.MaxRatio = cmp.Or(o.MaxRatio, 1000)
	return o
}

// Block is a record's block with values of its head.
type Block struct {
	Bytes         []byte // as archived; not kept
	Size          int64  // of the whole block, more than len(Bytes) if it is truncated
	BlockDigest   string // as declared, "algorithm:value"
	PayloadDigest string // as declared
	Referred      bool   // the payload digest is of the payload that a revisit refers to, not of this block

	behind []byte // bytes after the first head, if the body is only a part of them
}

func (b Block) cut() bool { return b.Size > int64(len(b.Bytes)) }

// HTTP fills c from a block that is declared as an HTTP message and returns its quirks.
func HTTP(c *schemas.Capture, b Block, o Options) []string {
	o = o.withDefaults()
	if o.Copy && !o.Borrow {
		b.Bytes, o.Borrow = slices.Clone(b.Bytes), true // the body shares the copy
	}
	m := httpmsg.Parse(b.Bytes, httpmsg.Options{Size: b.Size})
	b.behind = m.Rest
	// A block that is not HTTP is kept as it is, with the flag.
	if !m.HasHead {
		Raw(c, b, o)
		if len(b.Bytes) > 0 {
			c.AddFlag(schemas.FlagHTTP)
		}
		return m.Quirks
	}
	if m.Damaged {
		c.AddFlag(schemas.FlagHead)
	}
	c.Status, c.Header = m.Status, m.Header
	c.MIMEDeclared = schemas.FieldValue(m.Header, "Content-Type")
	if o.Copy && !b.cut() && isSound(&m) && !slices.ContainsFunc(c.Flags, isIncomplete) {
		c.Block = b.Bytes
	}
	return append(m.Quirks, body(c, b, m.Body, o)...)
}

// isSound reports whether other programs read the head of m, too. Other heads are mended in a copy.
func isSound(m *httpmsg.Message) bool {
	return m.Status != 0 && !m.Damaged && !slices.ContainsFunc(m.Quirks, func(quirk string) bool {
		switch quirk {
		case httpmsg.QuirkLeadingBlank, httpmsg.QuirkStatusLine, httpmsg.QuirkHeaderCut, httpmsg.QuirkNoBlankLine:
			return true
		}
		return false
	})
}

// isIncomplete reports whether a flag says that the block may not be the archived one.
func isIncomplete(f schemas.Flag) bool {
	switch f {
	case schemas.FlagInflate, schemas.FlagPartial, schemas.FlagLength, schemas.FlagSegment:
		return true
	}
	return false
}

// Body fills c from a block that is the body of an HTTP message; c has the message's header.
func Body(c *schemas.Capture, b Block, o Options) []string {
	if c.MIMEDeclared == "" {
		c.MIMEDeclared = schemas.FieldValue(c.Header, "Content-Type")
	}
	return body(c, b, b.Bytes, o.withDefaults())
}

// Absent fills c where the archive has left the body out. There is no digest: that of no bytes would make such captures
// equal to each other, and to empty ones.
func Absent(c *schemas.Capture) {
	if c.MIMEDeclared == "" {
		c.MIMEDeclared = schemas.FieldValue(c.Header, "Content-Type")
	}
	c.Truncated = "unspecified"
}

// body undoes the codings of raw, the body of the message in b whose header is in c.
func body(c *schemas.Capture, b Block, raw []byte, o Options) []string {
	limits := httpmsg.Limits{MaxBody: o.MaxBody, MaxRatio: o.MaxRatio}
	if o.HeadOnly {
		if b.digests() {
			raw = httpmsg.Payload(c.Header, raw, limits)
		}
		declare(c, b, raw)
		return nil
	}
	d := httpmsg.Decode(c.Header, raw, limits)
	// The block's memory is reused for the next record.
	if c.Body = d.Body; d.Shared || len(d.Body) == 0 {
		c.Body = own(d.Body, o)
	}
	for _, f := range d.Flags {
		c.AddFlag(f)
	}
	if d.Broken && c.Truncated == "" {
		c.AddFlag(schemas.FlagIncomplete)
	}
	sent := d.Payload
	if httpmsg.TransferCoded(c.Header) {
		sent = httpmsg.Payload(c.Header, raw, limits)
	}
	declare(c, b, sent)
	check(c, b, raw, d.Payload, sent, b.behind)
	return d.Quirks
}

// Raw fills c from a block that is the payload itself.
func Raw(c *schemas.Capture, b Block, o Options) {
	o = o.withDefaults()
	if o.HeadOnly {
		declare(c, b, b.Bytes)
		return
	}
	c.Body = own(b.Bytes, o)
	if int64(len(b.Bytes)) > o.MaxBody {
		c.AddFlag(schemas.FlagBody)
	}
	declare(c, b, b.Bytes)
	check(c, b, b.Bytes)
}

// own returns at most o.MaxBody bytes of body, as a copy unless it is borrowed, or nil if it is empty.
func own(body []byte, o Options) []byte {
	if len(body) == 0 {
		return nil
	}
	body = body[:min(int64(len(body)), o.MaxBody)]
	if o.Borrow {
		return slices.Clip(body)
	}
	return slices.Clone(body)
}

// digests reports whether the payload's digest must be computed: none is declared, and the whole payload is in the
// block. A revisit's block is not the payload.
func (b Block) digests() bool { return b.PayloadDigest == "" && !b.cut() && !b.Referred }

// declare sets the capture's digest: the declared one, or else that of the payload without transfer coding. A payload
// of which nothing was kept has none, as in Absent.
func declare(c *schemas.Capture, b Block, sent []byte) {
	if b.cut() {
		c.AddFlag(schemas.FlagBody)
	}
	c.Digest = b.PayloadDigest
	if b.digests() && (len(sent) > 0 || c.Truncated == "") {
		c.Digest = digest.SHA1(sent)
	}
	sortFlags(c)
}

// check compares the declared digests with the block, and with the payload in each form that writers compute digests
// of.
func check(c *schemas.Capture, b Block, forms ...[]byte) {
	var payload digest.Digest
	// A revisit's payload digest is of bytes that are not here.
	if !b.Referred {
		payload = declared(c, b, b.PayloadDigest)
	}
	// The block digest includes codings.
	block := declared(c, b, b.BlockDigest)
	ofPayload, ofBlock := digest.MatchPair(payload, forms[0], block, b.Bytes)
	if payload.Algorithm() != "" && !ofPayload && !matchesLater(payload, forms) {
		c.AddFlag(schemas.FlagPayload)
	}
	if block.Algorithm() != "" && !ofBlock {
		c.AddFlag(schemas.FlagBlock)
	}
}

// sortFlags sorts the flags that the record had; AddFlag keeps the order.
func sortFlags(c *schemas.Capture) {
	// By rank, the order of reports.
	slices.SortFunc(c.Flags, func(x, y schemas.Flag) int { return x.Rank() - y.Rank() })
}

// declared parses a digest. It is the zero Digest if there is none that can be checked.
func declared(c *schemas.Capture, b Block, label string) digest.Digest {
	if label == "" {
		return digest.Digest{}
	}
	d, err := digest.Parse(label)
	// A truncated block cannot match, which proves nothing.
	if err != nil || b.cut() {
		c.AddFlag(schemas.FlagUnchecked)
		return digest.Digest{}
	}
	return d
}

// matchesLater reports whether d matches any of the forms after the first.
func matchesLater(d digest.Digest, forms [][]byte) bool {
	for i, form := range forms[1:] {
		// Equal forms are hashed once.
		if form != nil && !same(form, forms[i]) && d.Matches(form) {
			return true
		}
	}
	return false
}

// same reports whether a and b are the same memory.
func same(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
