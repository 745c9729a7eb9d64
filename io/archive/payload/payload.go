// Package payload fills a capture from the block of an archive record: the HTTP head, the body with its codings
// undone, the digests checked. WARC and ARC share it.
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

// Options bound the work; the zero value takes the defaults.
type Options struct {
	MaxBody  int64 // bytes of a decoded body; 32 MiB
	MaxRatio int64 // decoded bytes a stored one, counted above 1 MiB; 1000, what deflate can reach at most
	// HeadOnly fills in all but the body, which stays nil: codings are not undone and declared digests not checked. It
	// is for indexes, where that is most of the work.
	HeadOnly bool
}

func (o Options) withDefaults() Options {
	o.MaxBody = cmp.Or(o.MaxBody, 32<<20)
	o.MaxRatio = cmp.Or(o.MaxRatio, 1000)
	return o
}

// Block is a record's block with the values of its head.
type Block struct {
	Bytes         []byte // as archived; not kept
	Size          int64  // of the whole block, more than len(Bytes) when it was cut
	BlockDigest   string // as declared, "algorithm:value"
	PayloadDigest string // likewise
	Referred      bool   // the payload digest is of the payload that a revisit refers to, not of this block

	behind []byte // the bytes after the first head, if the body is only a part of them
}

func (b Block) cut() bool { return b.Size > int64(len(b.Bytes)) }

// HTTP fills c from a block that is declared to be an HTTP message and returns the quirks met.
func HTTP(c *schemas.Capture, b Block, o Options) []string {
	o = o.withDefaults()
	m := httpmsg.Parse(b.Bytes, httpmsg.Options{Size: b.Size})
	b.behind = m.Behind
	// Declared as HTTP and not so: the block is kept as it is, with the flag.
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
	return append(m.Quirks, body(c, b, m.Body, o)...)
}

// Body fills c from a block that is the body of an HTTP message whose head was stored elsewhere: c has its header.
func Body(c *schemas.Capture, b Block, o Options) []string {
	// The document's own declaration of its type comes first.
	if c.MIMEDeclared == "" {
		c.MIMEDeclared = schemas.FieldValue(c.Header, "Content-Type")
	}
	return body(c, b, b.Bytes, o.withDefaults())
}

// body undoes the codings of raw, the body of the message in b that has c's header.
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
	// The block's memory is used for the next record, so the body must be a copy where it lies in there.
	if c.Body = d.Body; d.Shared || len(d.Body) == 0 {
		c.Body = own(d.Body, o.MaxBody)
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
	c.Body = own(b.Bytes, o.MaxBody)
	if int64(len(b.Bytes)) > o.MaxBody {
		c.AddFlag(schemas.FlagBody)
	}
	declare(c, b, b.Bytes)
	check(c, b, b.Bytes)
}

// own returns at most limit bytes of a body in memory of its own, nil for none.
func own(body []byte, limit int64) []byte {
	if len(body) == 0 {
		return nil
	}
	return slices.Clone(body[:min(int64(len(body)), limit)])
}

// digests reports whether the digest of the payload is ours to make: none is declared, and there is one. A revisit's
// block is not the payload, and of a block that was cut no digest would be right.
func (b Block) digests() bool { return b.PayloadDigest == "" && !b.cut() && !b.Referred }

// declare sets the capture's digest: the declared one, or else that of the payload, which has no transfer coding.
func declare(c *schemas.Capture, b Block, sent []byte) {
	if b.cut() {
		c.AddFlag(schemas.FlagBody)
	}
	c.Digest = b.PayloadDigest
	if b.digests() {
		c.Digest = digest.SHA1(sent)
	}
	sortFlags(c)
}

// check compares the declared digests with the block, and with the payload in the forms that writers make digests of.
func check(c *schemas.Capture, b Block, forms ...[]byte) {
	// A revisit's payload digest is of bytes that are not here.
	if !b.Referred {
		verify(c, b, b.PayloadDigest, schemas.FlagPayload, forms...)
	}
	// The block digest is of the block as it stands, codings and all.
	verify(c, b, b.BlockDigest, schemas.FlagBlock, b.Bytes)
}

// sortFlags puts those that the record brought into their order; AddFlag keeps it.
func sortFlags(c *schemas.Capture) {
	// By rank, which is the order in which reports name them.
	slices.SortFunc(c.Flags, func(x, y schemas.Flag) int { return x.Rank() - y.Rank() })
}

// verify flags c when declared matches none of the forms.
func verify(c *schemas.Capture, b Block, declared string, f schemas.Flag, forms ...[]byte) {
	if declared == "" {
		return
	}
	d, err := digest.Parse(declared)
	// A cut block cannot match, and that proves nothing.
	if err != nil || b.cut() {
		c.AddFlag(schemas.FlagUnchecked)
		return
	}
	for i, form := range forms {
		// One that is another once more is not hashed again.
		if i > 0 && (form == nil || same(form, forms[i-1])) {
			continue
		}
		if d.Matches(form) {
			return
		}
	}
	c.AddFlag(f)
}

// same reports whether a and b are the same memory.
func same(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
