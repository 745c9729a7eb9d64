package httpmsg

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
)

// The content codings that are removed, by the names of RFC 9110 section 8.4.1, and other declared values.
const (
	codingGzip     = "gzip"
	codingDeflate  = "deflate"
	codingBrotli   = "br"
	codingZstd     = "zstd"
	codingChunked  = "chunked"
	codingCompress = "compress"
	codingAWS      = "aws-chunked"
	codingNone     = ""
	// No coding can be called so: it is not a token.
	codingUnknown = "?"
	codingRaw     = "raw deflate" // deflate without its zlib wrapper, as some servers send it
)

// notCodings are values that are wrongly declared as codings. They are charsets, media types and the transfer encodings
// of MIME (RFC 2045 section 6), which servers put into Content-Encoding by mistake.
var notCodings = []string{
	"none", "no", "binary", "7bit", "8bit", "utf-8", "utf8", "iso-8859-1", "windows-1252", "us-ascii", "html", "text/html",
}

// codingOf returns the coding in one member of Content-Encoding or Transfer-Encoding.
func codingOf(token string) (coding string, quirk bool) {
	// Transfer codings may have parameters, which none of those that are undone has.
	token, _, _ = strings.Cut(token, ";")
	token = strings.ToLower(strings.Trim(token, " \t\"'"))
	switch token {
	case "gzip", "x-gzip":
		return codingGzip, false
	case "compress", "x-compress":
		return codingCompress, false
	case "deflate", "br", "zstd", "chunked", "aws-chunked":
		return token, false
	case "identity", "":
		return codingNone, false
	}
	if slices.Contains(notCodings, token) {
		return codingNone, true
	}
	return codingUnknown, false
}

// declaration is the declared codings of a body.
type declaration struct {
	chunked bool
	aws     bool     // aws-chunked stands anywhere in the list; it is always the outermost content coding
	codings []string // content codings, outermost first
	tooMany bool     // the list is cut at the limit
	quirk   bool     // a declared value is not a coding
}

// declared reads Transfer-Encoding and Content-Encoding. Both list codings in the order in which they were applied, and
// transfer codings are applied last.
func declared(header []schemas.Field, limit int) declaration {
	// One declaration is made for each page, and only for what its own head lists.
	var d declaration
	d.add(header, "Content-Encoding", limit)
	// After Content-Encoding, so that reversing the whole list puts the outermost first.
	d.add(header, transferEncoding, limit)
	slices.Reverse(d.codings)
	if len(d.codings) > limit {
		d.codings, d.tooMany = d.codings[:limit], true
	}
	return d
}

func (d *declaration) add(header []schemas.Field, name string, limit int) {
	for i := range header {
		// Lengths first: this runs over all fields of every page.
		// EqualFold alone would be the costliest line of Decode's set-up.
		if len(header[i].Name) != len(name) || !strings.EqualFold(header[i].Name, name) {
			continue
		}
		for token := range strings.SplitSeq(header[i].Value, ",") {
			coding, quirk := codingOf(token)
			d.quirk = d.quirk || quirk
			switch coding {
			case codingNone:
			// Not in the list: chunks are joined first, since Payload is the body with only that undone.
			case codingChunked:
				d.chunked = true
			case codingAWS:
				d.aws = true
			default:
				d.codings = append(d.codings, coding)
			}
		}
		// The outermost codings, the last ones, are those that can be undone.
		// A list of any length holds at most limit+1 names: one too many is enough to know that it was
		// cut.
		if extra := len(d.codings) - (limit + 1); extra > 0 {
			d.codings = slices.Delete(d.codings, 0, extra)
		}
	}
}

// sniffLen is how many bytes of a body tell whether it is in a coding that has no magic.
const sniffLen = 4 << 10

// Magic bytes: a gzip member with its only method (RFC 1952, 2.3.1), a zstd frame (RFC 8878, 3.1.1) and the output of
// the compress program.
const (
	magicGzip     = "\x1f\x8b\x08"
	magicZstd     = "\x28\xb5\x2f\xfd"
	magicCompress = "\x1f\x9d"
)

// media are the first bytes of formats that servers often send stored decoded under a header of br or deflate.
// Formats that are compressed themselves: servers claim a coding for them and send them as they are.
var media = []string{
	"\x89PNG\r\n", "\xff\xd8\xff", "GIF8", "%PDF-", "PK\x03\x04",
	"wOFF", "wOF2", "RIFF", "\x00\x00\x01\x00", "ID3", "OggS", "\x00asm",
}

// sniff returns the coding of a body that begins with head. Magic bytes take precedence over the declared coding. The
// argument whole means that head is all of the body. For a body that is stored decoded it returns codingNone.
func sniff(declared string, head []byte, whole bool) string {
	// Magic of three and four bytes that no text begins with: safer than what the header says.
	switch {
	case hasMagic(head, magicGzip):
		return codingGzip
	case hasMagic(head, magicZstd):
		return codingZstd
	}
	switch declared {
	case codingGzip:
		// A stream cut in its magic, or one with an unknown method, is gzip all the same: and damaged.
		// Anything else under that header was stored decoded.
		// codingIf of the first two bytes only: the third, the method, may be cut off or damaged.
		return codingIf(hasMagic(head, magicGzip[:2]), codingGzip)
	case codingZstd:
		return codingIf(isSkippable(head), codingZstd)
	case codingCompress:
		return codingIf(hasMagic(head, magicCompress), codingCompress)
	case codingDeflate, codingBrotli:
		return sniffMagicless(declared, head, whole)
	}
	// Unknown codings stay as declared, and the caller flags them.
	return declared
}

func hasMagic(head []byte, magic string) bool {
	return len(head) >= len(magic) && string(head[:len(magic)]) == magic
}

func codingIf(yes bool, coding string) string {
	if yes {
		return coding
	}
	return codingNone
}

// isSkippable reports whether head begins with a skippable zstd frame (RFC 8878 section 3.1.2).
func isSkippable(head []byte) bool {
	// Its magic is any of 0x184D2A50 to 0x184D2A5F, little endian.
	return len(head) >= 4 && head[0]&0xf0 == 0x50 && hasMagic(head[1:], "\x2a\x4d\x18")
}

// sniffMagicless is sniff for br and deflate. Text is never taken for one of them unless it decodes.
func sniffMagicless(coding string, head []byte, whole bool) string {
	// Brotli has no magic and accepts many beginnings: without this list an image would be decoded to
	// noise.
	if slices.ContainsFunc(media, func(m string) bool { return hasMagic(head, m) }) {
		return codingNone
	}
	// RFC 9110 section 8.4.1.2 asks for zlib and notes that some send deflate without it.
	if coding == codingDeflate && !isZlib(head) {
		coding = codingRaw
	}
	if isText(head) && !decodes(coding, head, whole) {
		return codingNone
	}
	return coding
}

// isZlib reports whether head begins with a zlib header (RFC 1950 section 2.2) without a preset dictionary.
func isZlib(head []byte) bool {
	// Method 8, a window of at most 32 KiB, and the check of both bytes by 31.
	return len(head) >= 2 && head[0]&0x0f == 8 && head[0]>>4 <= 7 && head[1]&0x20 == 0 &&
		(uint(head[0])<<8|uint(head[1]))%31 == 0
}

// isText reports whether head is UTF-8, except for a rune cut at its end, without control characters.
func isText(head []byte) bool {
	for i := 0; i < len(head); {
		r, n := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && n == 1 {
			// head is cut at sniffLen: a rune that is cut there says nothing against text.
			return i > 0 && len(head)-i < utf8.UTFMax && !utf8.FullRune(head[i:])
		}
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' {
			return false
		}
		i += n
	}
	return true
}

// decodes reports whether head, the first bytes or the whole of a body, decodes.
func decodes(coding string, head []byte, whole bool) bool {
	in := bufferOver(bytes.NewReader(head))
	defer giveBack(in)
	s := open(coding, in)
	defer s.release()
	// Bounded, since this decoding is a guess that is thrown away.
	_, err := io.Copy(io.Discard, io.LimitReader(s, freeRatio))
	// With all of the body at hand it must end where the stream does, too.
	if whole {
		_, more := in.Peek(1)
		return err == nil && errors.Is(more, io.EOF)
	}
	// The head alone cannot end well: that it lasted as far as its last byte is what can be asked.
	return errors.Is(err, io.ErrUnexpectedEOF)
}
