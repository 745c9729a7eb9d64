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
	chunkBroken                   // what should be a size line or a chunk's end is none
	chunkNone                     // it does not even begin with a size line
)

// chunkWalk is what was seen of a stream of chunks (RFC 9112 section 7.1).
type chunkWalk struct {
	whole int  // chunks with all their data and their line end
	crlf  bool // all line ends were CRLF
	end   chunkEnd
	rest  int  // where the bytes after a complete stream begin
	size  int  // of the chunk that ends where no chunk ends
	split bool // a chunk ends between CR and LF: its size is one too much
}

// walkChunks goes through raw and hands the data of each chunk to visit, also of one that is cut.
func walkChunks(raw []byte, visit func([]byte)) chunkWalk {
	w := chunkWalk{crlf: true, end: chunkNone}
	for pos := 0; ; {
		size, data, crlf, ok := sizeLine(raw, pos)
		if !ok {
			w.failedAt(raw, pos)
			return w
		}
		w.crlf = w.crlf && crlf
		if size == 0 {
			w.trailers(raw, data)
			return w
		}
		if size > int64(len(raw)-data) {
			visit(raw[data:])
			w.end = chunkShort
			return w
		}
		end := data + int(size)
		visit(raw[data:end])
		n := lineEnd(raw[end:])
		if n == 0 {
			w.size = int(size)
			w.endsIn(raw[end:])
			return w
		}
		w.crlf = w.crlf && n == 2
		w.split = w.split || n == 1 && raw[end-1] == '\r'
		w.whole++
		pos = end + n
	}
}

// failedAt notes that there is no size line at pos.
func (w *chunkWalk) failedAt(raw []byte, pos int) {
	switch {
	case w.whole == 0:
		w.end = chunkNone
	case len(raw)-pos < maxChunkLine && bytes.IndexByte(raw[pos:], '\n') < 0:
		w.end = chunkShort
	default:
		w.end = chunkBroken
	}
}

// endsIn notes that a chunk's data are followed by rest instead of a line end.
func (w *chunkWalk) endsIn(rest []byte) {
	w.end = chunkBroken
	if len(rest) == 0 || len(rest) == 1 && rest[0] == '\r' {
		w.end = chunkShort
	}
}

// trailers goes through the trailer fields at pos, behind the last chunk. What is no field ends them.
func (w *chunkWalk) trailers(raw []byte, pos int) {
	w.end, w.rest = chunkComplete, pos
	for pos < len(raw) {
		if n := lineEnd(raw[pos:]); n > 0 {
			w.rest = pos + n
			return
		}
		window := raw[pos:min(len(raw), pos+maxChunkLine)]
		end, colon := bytes.IndexByte(window, '\n'), bytes.IndexByte(window, ':')
		if end < 0 || colon <= 0 || colon > end {
			break
		}
		pos += end + 1
		w.rest = pos
	}
	// The blank line is missing. A lone "0" is more likely a body of one digit than a stream without any chunk.
	if w.whole == 0 {
		w.end = chunkNone
	}
}

// sizeLine reads the size line at pos: hexadecimal digits, perhaps blanks, perhaps extensions, the line's end.
func sizeLine(raw []byte, pos int) (size int64, data int, crlf, ok bool) {
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
		if size > math.MaxInt64>>4 {
			return 0, 0, false, false
		}
		size = size<<4 | int64(hexValue(line[digits]))
		digits++
	}
	tail := bytes.Trim(line[digits:], " \t\r")
	ok = digits > 0 && (len(tail) == 0 || tail[0] == ';')
	return size, data, crlf, ok
}

func hexValue(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
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

// isChunked decides whether what was walked is a stream of chunks or a body whose chunks the crawler joined, which may
// begin with a hexadecimal number of its own. declaredLength is whether Content-Length is the stored length.
func (w *chunkWalk) isChunked(declaredLength bool) bool {
	switch {
	case w.end == chunkComplete:
		return true
	case w.end == chunkNone || declaredLength:
		return false
	case w.end == chunkShort && w.whole == 0:
		return w.crlf
	}
	return w.whole >= 2 || w.whole == 1 && w.crlf
}

// dechunk returns the data of the chunks in raw; chunked is false when raw is no stream of chunks. The result shares
// raw's memory when there is one chunk only.
func dechunk(raw []byte, declaredLength bool) (data []byte, w chunkWalk, chunked bool) {
	var only []byte
	total, count := 0, 0
	w = walkChunks(raw, func(b []byte) {
		only = b
		total += len(b)
		count++
	})
	switch {
	case !w.isChunked(declaredLength):
		return raw, w, false
	case count <= 1:
		return only[:len(only):len(only)], w, true
	}
	data = make([]byte, 0, total)
	walkChunks(raw, func(b []byte) { data = append(data, b...) })
	return data, w, true
}

// BodyLength returns how many bytes of m.Body are the body, as the message itself says (section 6.3 of RFC 9112): to
// the end of its chunks, or as its Content-Length states, which may be more than there are. It is -1 when the message
// does not say; more tells that longer chunks may be cut off.
func BodyLength(m *Message) (n int64, more bool) {
	if declared(m.Header, 1).chunked {
		w := walkChunks(m.Body, func([]byte) {})
		if w.end != chunkComplete || w.whole == 0 {
			return -1, w.end == chunkShort
		}
		return int64(w.rest), false
	}
	value := schemas.FieldValue(m.Header, "Content-Length")
	if value == "" && m.Method != "" { // a request without either has no body
		return 0, false
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 {
		return -1, false
	}
	return n, false
}
