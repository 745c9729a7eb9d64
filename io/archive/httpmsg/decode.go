package httpmsg

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
)

// Limits limit the work of Decode. The zero value takes the defaults.
type Limits struct {
	MaxBody    int64 // bytes of the decoded body, and of the data between two codings; 32 MiB
	MaxRatio   int64 // decoded bytes for each stored byte, once there are more than 1 MiB of them; 1,000
	MaxCodings int   // content codings to remove; 8
}

// freeRatio is how many bytes a body may decode to whatever its ratio: small pages of one repeated line are legitimate.
const freeRatio = 1 << 20

func (l Limits) withDefaults() Limits {
	// max before Or: a negative limit takes the default as well, and is never without a bound.
	l.MaxBody = cmp.Or(max(l.MaxBody, 0), 32<<20)
	l.MaxRatio = cmp.Or(max(l.MaxRatio, 0), 1000)
	l.MaxCodings = cmp.Or(max(l.MaxCodings, 0), 8)
	return l
}

// output returns how many bytes a stored body of stored bytes may decode to, and which flag says that it would be more.
func (l Limits) output(stored int) (int64, schemas.Flag) {
	// By division, so that MaxRatio*stored below cannot overflow.
	if l.MaxRatio > l.MaxBody/max(int64(stored), 1) {
		return l.MaxBody, schemas.FlagBody
	}
	if byRatio := max(l.MaxRatio*int64(stored), freeRatio); byRatio < l.MaxBody {
		return byRatio, schemas.FlagRatio
	}
	return l.MaxBody, schemas.FlagBody
}

// Decoded is a body with its codings undone.
type Decoded struct {
	// Payload is the body with only the chunks joined. It shares the memory of the stored body where it can, and is not
	// bounded by MaxBody.
	Payload []byte
	// Body is the body with all codings undone, at most MaxBody bytes. It shares Payload's memory when nothing had
	// to be undone.
	Body []byte
	// Shared is true if Body is in the memory of the stored body. Callers that keep it longer have to copy it.
	Shared  bool
	Codings []string       // those really undone, outermost first: chunked, aws-chunked, gzip, deflate, br, zstd
	Flags   []schemas.Flag // in the order of the Flag constants: body, ratio, chunked, encoding
	// Broken is true if the chunks or a coding do not continue to their end, so that the body may lack bytes. An
	// unknown coding, or one cut by a limit, does not count.
	Broken bool
	Quirks []string // in the order of their detection
}

// Decode removes the transfer and content codings of raw, the stored body of a message with that header. Crawlers store
// decoded bodies under the header of the encoded ones, so the body takes precedence over its header. It never fails:
// for a damaged body it returns the decoded beginning, or the stored body if there is none.
func Decode(header []schemas.Field, raw []byte, l Limits) Decoded {
	l = l.withDefaults()
	d := decoding{limits: l, stored: true, Decoded: Decoded{Payload: raw}, coded: raw}
	decl := declared(header, l.MaxCodings)
	// An empty body is in no coding, whatever its head says: answers to HEAD and 304 have the header of a
	// body.
	if len(raw) == 0 {
		return d.Decoded
	}
	if decl.chunked {
		d.dechunk(header, raw)
		d.coded = d.Payload
	}
	if decl.aws {
		d.unframe()
	}
	d.quirkIf(decl.quirk, QuirkNoCoding)
	// The list was cut at MaxCodings, so some declared codings remain.
	d.flagIf(decl.tooMany, schemas.FlagEncoding)
	if len(decl.codings) == 0 {
		d.keepPayload()
	} else {
		d.undo(decl.codings)
	}
	// The order in which flags were met depends on the damage; the record's order must not.
	slices.SortFunc(d.Flags, func(a, b schemas.Flag) int { return flagRank(a) - flagRank(b) })
	return d.Decoded
}

// Payload returns raw, the stored body of a message with that header, without its transfer codings. Payload digests
// cover these bytes (section 6.3.2 of WARC/1.1). If a coding is damaged, or beyond the limits, only the chunks are
// joined.
func Payload(header []schemas.Field, raw []byte, l Limits) []byte {
	var coded []schemas.Field
	for _, f := range header {
		if strings.EqualFold(f.Name, transferEncoding) {
			coded = append(coded, f)
		}
	}
	if coded == nil {
		return raw
	}
	// It tells chunks that were joined from others.
	coded = append(coded, schemas.Field{Name: "Content-Length", Value: schemas.FieldValue(header, "Content-Length")})
	d := Decode(coded, raw, l)
	if !TransferCoded(header) || len(d.Flags) > 0 {
		return d.Payload
	}
	return d.Body
}

// TransferCoded reports whether a message has transfer codings besides chunks, which Decoded.Payload still has.
func TransferCoded(header []schemas.Field) bool {
	for i := range header {
		if len(header[i].Name) != len(transferEncoding) || !strings.EqualFold(header[i].Name, transferEncoding) {
			continue
		}
		var d declaration
		d.add(header[i:i+1], transferEncoding, 1)
		if len(d.codings) > 0 {
			return true
		}
	}
	return false
}

const transferEncoding = "Transfer-Encoding"

// lastChunk is how a stream of chunks ends.
var lastChunk = []byte("\r\n0\r\n\r\n")

// leastChunk is the size of a chunk that exceeds the small numbers at the beginning of some texts.
const leastChunk = 16

// decoding is a Decoded in the making.
type decoding struct {
	Decoded
	limits Limits
	coded  []byte // the payload without the frames of aws-chunked: what the other content codings are undone of
	stored bool   // coded lies in the memory of the stored body
}

func flagRank(f schemas.Flag) int {
	return slices.Index([]schemas.Flag{schemas.FlagBody, schemas.FlagRatio, schemas.FlagChunked, schemas.FlagEncoding}, f)
}

func (d *decoding) flagIf(yes bool, f schemas.Flag) {
	if yes && !slices.Contains(d.Flags, f) {
		d.Flags = append(d.Flags, f)
	}
}

// broken flags chunks or a coding that do not go on to their end.
func (d *decoding) broken(f schemas.Flag) {
	d.flagIf(true, f)
	d.Broken = true
}

func (d *decoding) quirkIf(yes bool, name string) {
	if yes && !slices.Contains(d.Quirks, name) {
		d.Quirks = append(d.Quirks, name)
	}
}

// dechunk joins the chunks of raw.
func (d *decoding) dechunk(header []schemas.Field, raw []byte) {
	// If Content-Length equals the stored length, the crawler has joined the chunks.
	length, err := strconv.ParseInt(strings.TrimSpace(schemas.FieldValue(header, "Content-Length")), 10, 64)
	payload, walk, chunked := dechunk(raw, err == nil && length == int64(len(raw)))
	if !chunked {
		// The flag is for damage. Chunks that a crawler joined are usual, and only a quirk.
		d.quirkIf(true, QuirkNotChunked)
		// Damaged chunks begin with a chunk or end with the last one. A page that begins with the line "10" is text,
		// which leastChunk excludes.
		if walk.size >= leastChunk && length != int64(len(raw)) || bytes.HasSuffix(raw, lastChunk) {
			d.broken(schemas.FlagChunked)
		}
		return
	}
	// One chunk lies where it is stored; several have been joined elsewhere.
	d.Payload, d.stored = payload, walk.chunks <= 1
	d.Codings = append(d.Codings, codingChunked)
	tail := walk.end == chunkComplete && walk.rest < len(raw)
	early := tail && bytes.HasSuffix(raw, lastChunk) // the size that ended it was another one
	if walk.end != chunkComplete || walk.split || early {
		d.broken(schemas.FlagChunked)
	}
	d.quirkIf(tail, QuirkChunkTail)
}

// unframe removes the frames of an upload to S3 (AWS Signature Version 4, transferring the payload in chunks). They
// resemble chunks, and are nearly always gone: S3 sends the payload, and keeps only the name in the header.
func (d *decoding) unframe() {
	data, walk, chunked := dechunk(d.Payload, false)
	complete := walk.end == chunkComplete
	// Without signatures nothing but the frames themselves tells them from a text that begins with a number.
	whole := walk.whole > 0 && complete && len(bytes.TrimSpace(d.Payload[walk.rest:])) == 0
	if signed := isSigned(d.Payload); !signed && (!walk.crlf || !whole && (complete || walk.whole < 2)) {
		return
	} else if signed && !chunked { // not one frame is whole
		d.broken(schemas.FlagEncoding)
		return
	}
	d.coded, d.stored = data, d.stored && walk.chunks <= 1
	d.Codings = append(d.Codings, codingAWS)
	if !complete || walk.split {
		d.broken(schemas.FlagEncoding)
	}
	d.quirkIf(complete && walk.rest < len(d.Payload), QuirkChunkTail)
}

// isSigned reports whether b begins with the first line of a signed frame.
func isSigned(b []byte) bool {
	line, _ := lineAt(b[:min(len(b), maxChunkLine)], 0)
	size, signature, _ := bytes.Cut(line, []byte(";chunk-signature="))
	isHex := func(c rune) bool { return c < utf8.RuneSelf && hexValue(byte(c)) >= 0 }
	return len(size) > 0 && len(signature) == 2*sha256.Size && len(bytes.TrimFunc(size, isHex)) == 0 &&
		len(bytes.TrimFunc(signature, isHex)) == 0
}

// undo undoes the content codings of the payload.
func (d *decoding) undo(codings []string) {
	// By the payload, since the marks of chunks are not data that could expand.
	limit, flag := d.limits.output(len(d.coded))
	c := newChain(d.coded, limit)
	defer c.release()
	for _, coding := range codings {
		if !d.undoOne(c, coding) {
			break
		}
	}
	// Nothing was undone: the body was stored decoded, or in a coding that is not known.
	if len(c.stages) == 0 {
		d.keepPayload()
		return
	}
	body, err := c.readAll()
	d.Body, d.Shared = body, false
	d.finish(c, err, flag)
}

// keepPayload makes the payload the body.
func (d *decoding) keepPayload() {
	// No copy: the part beyond the limit stays in memory as long as Payload, which is the stored body.
	d.Body, d.Shared = d.coded[:min(int64(len(d.coded)), d.limits.MaxBody)], d.stored
	d.flagIf(len(d.Body) < len(d.coded), schemas.FlagBody)
}

// undoOne adds a stage to c for a declared coding, or says why there is none. It returns false when the codings that
// remain cannot be undone.
func (d *decoding) undoOne(c *chain, coding string) bool {
	head, err := c.end.Peek(sniffLen)
	if len(head) == 0 {
		return false // an empty stream, or a damaged one: reading it tells
	}
	// Peek gives less than sniffLen, with io.EOF, where that is all there is.
	found := sniff(coding, head, errors.Is(err, io.EOF))
	switch found {
	case codingNone:
		d.quirkIf(true, QuirkDecodedBody)
		return true
	case codingUnknown, codingCompress:
		d.flagIf(true, schemas.FlagEncoding)
		return false
	}
	c.add(found)
	// Without its wrapper it is deflate all the same, to the reader of the record.
	if found == codingRaw {
		found = codingDeflate
	}
	// Declared as one coding and in fact another, as gzip under a header of deflate.
	d.quirkIf(found != coding, QuirkOtherCoding)
	d.Codings = append(d.Codings, found)
	return true
}

// finish judges how reading ended. over is the flag that stands for the output limit.
func (d *decoding) finish(c *chain, err error, over schemas.Flag) {
	if err == nil {
		var tail bool
		tail, err = c.drained()
		d.quirkIf(tail, QuirkTrailingBytes)
	}
	d.flagIf(c.over(), over)
	// Over the limit decoding was ended by us: that is not damage.
	if err != nil && !c.over() {
		d.broken(schemas.FlagEncoding)
	}
	if err != nil && len(d.Body) == 0 {
		// The body is the payload again, so that none of these codings was undone; "chunked" stays.
		d.Codings = d.Codings[:len(d.Codings)-len(c.stages)]
		d.keepPayload()
	}
}
