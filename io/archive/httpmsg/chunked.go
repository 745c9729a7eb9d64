package httpmsg

import (
	"bytes"
	"math"
	"strconv"

	"github.com/gleaner-web/gleaner/schemas"
)

// maxChunkLine bounds a chunk's size line with its extensions, and a line of trailers, in bytes. RFC 9112 section 7.1.1
// asks for a limit and names none; servers' own are between 4 and 16 KiB.
const maxChunkLine = 16 << 10

// chunkEnd says how a stream of chunks ended.
type chunkEnd int

const (
	chunkComplete chunkEnd = iota // with the last chunk
	chunkShort                    // the bytes end first
	chunkBroken                   // no size line or end of a chunk where one should be
	chunkNone                     // it does not even begin with a size line
)

// chunkWalk is the result of a walk over a stream of chunks (RFC 9112 section 7.1).
type chunkWalk struct {
	chunks int  // complete ones, and one that is cut
	whole  int  // chunks with all their data and their line end
	crlf   bool // all line ends were CRLF
	end    chunkEnd
	rest   int  // start of the bytes after a complete stream
	size   int  // of the chunk without a valid end
	split  bool // a chunk ends between CR and LF: its size is one too much
}

// walkChunks walks over raw and passes the data of each chunk to visit, also of one that is cut.
func walkChunks(raw []byte, visit func([]byte)) chunkWalk {
	// chunkNone until something is seen; crlf is true until a line end is not.
	w := chunkWalk{crlf: true, end: chunkNone}
	// Each turn takes at least a size line off raw, so the walk ends after len(raw) steps.
	for pos := 0; ; {
		size, data, crlf, ok := sizeLine(raw, pos)
		if !ok {
			w.failedAt(raw, pos)
			return w
		}
		w.crlf = w.crlf && crlf
		// A size of 0 is the last chunk; trailers and a blank line may follow (section 7.1.2).
		if size == 0 {
			w.trailers(raw, data)
			return w
		}
		// Compared as int64 before it becomes an int: the size is whatever the archive says.
		if size > int64(len(raw)-data) {
			// What there is of the chunk is kept: a cut body is better than none.
			visit(raw[data:])
			w.chunks++
			w.end = chunkShort
			return w
		}
		end := data + int(size)
		visit(raw[data:end])
		w.chunks++
		n := lineEnd(raw[end:])
		if n == 0 {
			// The size is kept, because it distinguishes a damaged chunk from a text that begins with a number.
			w.size = int(size)
			w.endsIn(raw[end:])
			return w
		}
		w.crlf = w.crlf && n == 2
		// A data byte CR before a lone LF: the size counted the CR of the line end as data.
		w.split = w.split || n == 1 && raw[end-1] == '\r'
		w.whole++
		// Only now is the chunk whole: whole counts those of which the end was seen.
		pos = end + n
	}
}

// failedAt records that there is no size line at pos.
func (w *chunkWalk) failedAt(raw []byte, pos int) {
	switch {
	case w.whole == 0:
		// Nothing whole was seen, so nothing says that these are chunks at all.
		w.end = chunkNone
	// A size line that has no end yet and could still be within its bound was cut by the end of the
	// archive.
	case len(raw)-pos < maxChunkLine && bytes.IndexByte(raw[pos:], '\n') < 0:
		w.end = chunkShort
	default:
		w.end = chunkBroken
	}
}

// endsIn records that rest follows a chunk's data instead of a line end.
func (w *chunkWalk) endsIn(rest []byte) {
	w.end = chunkBroken
	// The end of the bytes, or half of a CRLF, is a cut; anything else is damage.
	if len(rest) == 0 || len(rest) == 1 && rest[0] == '\r' {
		w.end = chunkShort
	}
}

// trailers reads the trailer fields at pos, after the last chunk, up to the first line that is not a field.
func (w *chunkWalk) trailers(raw []byte, pos int) {
	// The stream is complete with the last chunk: trailers are optional, and often left out.
	w.end, w.rest = chunkComplete, pos
	for pos < len(raw) {
		if n := lineEnd(raw[pos:]); n > 0 {
			w.rest = pos + n
			// An empty stream ends the message. A text may well begin with 0 and a blank line.
			behind := bytes.Trim(raw[w.rest:], " \t\r\n\x00")
			if w.whole == 0 && len(behind) > 0 && !BeginsResponse(behind) {
				w.end = chunkNone
			}
			return
		}
		// A line of trailers longer than the bound is taken for what follows the message.
		window := raw[pos:min(len(raw), pos+maxChunkLine)]
		end, colon := bytes.IndexByte(window, '\n'), bytes.IndexByte(window, ':')
		if end < 0 || colon <= 0 || colon > end {
			break
		}
		pos += end + 1
		// The lines so far belong to the message, even if a later one does not.
		w.rest = pos
	}
	// The blank line is missing. A lone "0" is more likely a body of one digit than a stream without any chunk.
	if w.whole == 0 {
		w.end = chunkNone
	}
}

// sizeLine reads the size line at pos: hexadecimal digits, perhaps blanks, perhaps extensions, the line's end.
func sizeLine(raw []byte, pos int) (size int64, data int, crlf, ok bool) {
	// The search for the line end is bounded, so that a body without any costs no second pass for each
	// chunk.
	line := raw[pos:min(len(raw), pos+maxChunkLine)]
	end := bytes.IndexByte(line, '\n')
	if end < 0 {
		return 0, 0, false, false
	}
	line = line[:end]
	data = pos + end + 1
	crlf = end > 0 && line[end-1] == '\r'
	digits := 0
	for digits < len(line) && hexValue(line[digits]) >= 0 {
		// Checked before the shift: sizes of 16 digits and more would wrap around and look small.
		if size > math.MaxInt64>>4 {
			return 0, 0, false, false
		}
		size = size<<4 | int64(hexValue(line[digits]))
		digits++
	}
	// Some servers pad the size with blanks to a fixed width.
	tail := bytes.Trim(line[digits:], " \t\r")
	// After the digits only an extension may stand (section 7.1.1); "12 apples" is text.
	ok = digits > 0 && (len(tail) == 0 || tail[0] == ';')
	return size, data, crlf, ok
}

func hexValue(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	// |0x20 makes ASCII letters lower case, and makes no other byte a letter from a to f.
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// lineEnd returns the length of the line end that b begins with: 2 for CRLF, 1 for LF, 0 for none.
func lineEnd(b []byte) int {
	switch {
	case len(b) > 0 && b[0] == '\n':
		return 1
	case len(b) > 1 && b[0] == '\r' && b[1] == '\n':
		return 2
	}
	return 0
}

// isChunked reports whether the walk found a stream of chunks. Otherwise the crawler has joined the chunks of the body,
// which may begin with a hexadecimal number. declaredLength means that Content-Length is the stored length.
func (w *chunkWalk) isChunked(declaredLength bool) bool {
	switch {
	case w.end == chunkComplete:
		// A last chunk after whole ones is more than chance; a lone one was made chunkNone above.
		return true
	case w.end == chunkNone || declaredLength:
		return false
	// One chunk, and cut: a CRLF after the number is the only evidence there is.
	case w.end == chunkShort && w.whole == 0:
		return w.crlf
	}
	// Two size lines where they must be are hardly chance. One may be, in a text that begins with a
	// number; the CRLF decides.
	return w.whole >= 2 || w.whole == 1 && w.crlf
}

// dechunk returns the data of the chunks in raw; chunked is false when raw is not a stream of chunks. The result shares
// raw's memory when there is one chunk only.
func dechunk(raw []byte, declaredLength bool) (data []byte, w chunkWalk, chunked bool) {
	// The first walk only counts, so that the second can fill a slice of exactly the right size.
	var only []byte
	total := 0
	w = walkChunks(raw, func(b []byte) {
		only = b
		total += len(b)
	})
	switch {
	case !w.isChunked(declaredLength):
		return raw, w, false
	case w.chunks <= 1:
		// The capacity is cut as well: appending to the result must not write over the archive's
		// bytes.
		return only[:len(only):len(only)], w, true
	}
	data = make([]byte, 0, total)
	walkChunks(raw, func(b []byte) { data = append(data, b...) })
	return data, w, true
}

// BodyLength returns the number of bytes in m.Body that are the body by the message itself (section 6.3 of RFC 9112).
// It ends with the chunks, or has the stated Content-Length, which may exceed the stored bytes. It is -1 if the message
// does not say. more means that longer chunks may be cut off.
func BodyLength(m *Message) (n int64, more bool) {
	// The limit is of content codings, which do not matter here: only whether chunks are declared.
	if declared(m.Header, 1).chunked {
		w := walkChunks(m.Body, func([]byte) {})
		if w.end != chunkComplete || w.whole == 0 {
			return -1, w.end == chunkShort
		}
		return int64(w.rest), false
	}
	// The header of a request says so by what it lacks: a response without a length goes on to the end
	// of its connection.
	value := schemas.FieldValue(m.Header, "Content-Length")
	if value == "" && m.Method != "" { // a request without either has no body
		return 0, false
	}
	n, err := strconv.ParseInt(value, 10, 64)
	// Negative or no number: no length that could be trusted.
	if err != nil || n < 0 {
		return -1, false
	}
	return n, false
}
