package dump

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/gleaner-web/gleaner/io/stream/inflate"
	"github.com/gleaner-web/gleaner/io/stream/lines"
	"github.com/gleaner-web/gleaner/schemas"
)

// LineReader reads the captures of a file of lines, plain or compressed with zlib, gzip or zstd. It is not safe for
// concurrent use.
//
// Captures of a plain file have the origin of their line. Captures of a compressed file have the origin of the whole
// file and differ by their sequence, because no line can be read by itself.
type LineReader struct {
	account
	format  Lines
	src     *source
	kind    compression
	lines   Frames
	framed  bool  // records are not lines
	number  int   // of the line
	whole   int64 // decompressed end of the last line
	arrived int64 // start of the first line after this range, in the file
	done    bool
}

// maxLine returns the maximum length of a line for a body of maxBody bytes. Base64 takes 4 bytes for 3, and an escaped
// character up to 6: twice the body suffices for nearly all. 4 MiB are for the rest of the line.
func maxLine(maxBody int64) int { return int(min(2*maxBody+(4<<20), 1<<30)) }

// NewLineReader returns a reader of the lines that start in the input's range of src.
func NewLineReader(src io.ReaderAt, in Input, f Lines, o Options) (*LineReader, error) {
	in.End = cmp.Or(in.End, in.Size)
	s := &source{src: src, at: in.Start, end: in.Size}
	buffered := bufio.NewReaderSize(s, headBytes)
	r := &LineReader{account: account{in: in, o: o}, format: f, src: s, arrived: in.Start}
	// A later range is of a plain file, because others are not split.
	if in.Start == 0 {
		head, err := buffered.Peek(min(headBytes, int(in.Size)))
		// An error of reading comes first: Peek's error may only mean that the file is short.
		if s.err != nil {
			return nil, fmt.Errorf("codec: %w", cmp.Or(s.err, err))
		}
		r.kind = told(head)
	}
	decompressed, err := decompress(buffered, r.kind)
	if err != nil {
		return nil, fmt.Errorf("codec: %w", err)
	}
	limit := maxLine(o.maxBody())
	// Files of frames have one range.
	if in.Start == 0 {
		decoded := bufio.NewReaderSize(decompressed, headBytes)
		head, _ := decoded.Peek(headBytes) // an error comes again with the first read
		if r.lines = framesOf(f, decoded, head, limit); r.lines != nil {
			r.framed = true
			return r, nil
		}
		// decoded has buffered bytes that decompressed no longer has.
		decompressed = decoded
	}
	if r.lines, err = lines.NewReader(decompressed, limit); err != nil {
		return nil, fmt.Errorf("codec: %w", err)
	}
	return r, nil
}

// framesOf returns the Frames of a file with this head, or nil if its records are lines.
func framesOf(f Lines, r io.Reader, head []byte, limit int) Frames {
	if framed, ok := f.(Framed); ok {
		return framed.Frames(r, head, limit)
	}
	return nil
}

// Next returns the next capture, or the reject of an unreadable line, or io.EOF. Other errors are the file's, and
// final.
func (r *LineReader) Next() (Item, error) {
	for !r.done {
		// The last line that begins in the range is read to its end, even beyond the range.
		if r.kind == plain && !r.framed && r.arrived >= r.in.End {
			r.end()
			break
		}
		line, err := r.lines.Next()
		// Checked before the bytes are used: with a failing disk they would look like damage.
		if r.src.err != nil {
			return Item{}, r.src.err
		}
		item, tooLong := Item{}, errors.Is(err, lines.ErrTooLong)
		start, end := r.lines.Span()
		switch {
		case err != nil && !tooLong:
			item = r.last(err)
		case r.kind == plain && r.in.Start+start >= r.in.End: // after blank lines at the range's end
			r.end()
		case tooLong:
			// The line counts as read, so that the next range begins after it.
			r.arrived, r.whole = r.in.Start+end, end
			item = r.reject(start, end, schemas.KindLimit, "a line over the limit")
		default:
			r.arrived, r.whole = r.in.Start+end, end
			item = r.read(line, start, end)
		}
		// A line without a capture, or the end.
		if item != (Item{}) {
			return item, nil
		}
	}
	return Item{}, io.EOF
}

// read returns the capture or reject of a line, or nothing.
func (r *LineReader) read(line []byte, start, end int64) Item {
	text, padded := line, false
	if !r.framed {
		if start == 0 && r.in.Start == 0 {
			line = bytes.TrimPrefix(line, []byte(bom))
		}
		text = bytes.Trim(line, "\x00")
		padded = len(text) < len(line)
	}
	r.number++
	if padded && len(bytes.TrimSpace(text)) == 0 { // left by a file system for sectors that were never written
		schemas.Count(&r.counts.ByQuirk, schemas.QuirkZeros, 1)
		return Item{}
	}
	c, quirks, err := r.format.Capture(text, r.o.payload())
	if padded && err == nil {
		quirks = append(quirks, schemas.QuirkZeros)
	}
	if err != nil {
		kind, why := kindOf(err), err.Error()
		// An unreadable last line without its end was truncated.
		if r.lines.Open() {
			kind, why = schemas.KindTruncated, "the file ends inside a line"
		}
		return r.reject(start, end, kind, why)
	}
	if c != nil {
		c.Origin = schemas.Origin{File: r.in.Name, Offset: r.in.Start + start, Length: end - start}
		// Offsets are useless in a compressed file, so the origin is the whole file.
		if r.kind != plain {
			c.Origin = schemas.Origin{File: r.in.Name, Length: r.in.Size, Sequence: r.number - 1}
			if r.o.Doubtful {
				c.AddFlag(schemas.FlagUnverified)
			}
		}
	}
	r.captured(c, quirks)
	return Item{Capture: c}
}

// reject reports a line. In a compressed file its share of the file is lost.
func (r *LineReader) reject(start, end int64, kind schemas.Kind, why string) Item {
	l := schemas.Reject{Offset: r.in.Start + start, Length: end - start, Lost: end - start, Kind: kind, Message: why}
	if r.kind != plain {
		l.Message = "line " + strconv.Itoa(r.number) + " of the decompressed file: " + why
		l.Offset, l.Length, l.Lost = 0, r.in.Size, r.share(end-start, end)
	}
	return r.lost(l)
}

// share estimates how many bytes of the compressed file hold some of the read decompressed bytes. It is at least 1, so
// that a loss is never zero.
func (r *LineReader) share(some, read int64) int64 {
	return max(1, int64(float64(some)/float64(max(read, 1))*float64(r.src.at)))
}

// last ends reading at the end of the stream, or at damage: all complete lines before were read.
func (r *LineReader) last(err error) Item {
	r.end()
	if err == io.EOF {
		return Item{}
	}
	_, read := r.lines.Span()
	if r.framed && r.kind == plain {
		// From the last complete record, because the start of the damage is unknown.
		rest := r.in.Size - r.whole
		return r.lost(schemas.Reject{
			Offset: r.whole, Length: rest, Lost: rest, Kind: frameKind(err),
			Message: fmt.Sprintf("behind record %d: %v", r.number, err),
		})
	}
	r.doubt()
	l := schemas.Reject{
		Length: r.in.Size, Kind: schemas.KindInflate,
		Message: fmt.Sprintf("the compressed stream is damaged behind line %d: %v", r.number, err),
	}
	switch {
	case errors.Is(err, inflate.ErrChecksum):
		l.Message = "the checksum of the compressed stream does not match: a line that was read may be damaged"
	case errors.Is(err, io.ErrUnexpectedEOF):
		l.Kind, l.Message = schemas.KindTruncated, fmt.Sprintf("the compressed stream has no end; %d whole lines were read",
			r.number)
	}
	// Unread bytes are lost, and so is the last, incomplete line.
	l.Lost = r.in.Size - r.src.at
	if read > r.whole {
		l.Lost += r.share(read-r.whole, read)
	}
	return r.lost(l)
}

func frameKind(err error) schemas.Kind {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return schemas.KindTruncated
	}
	return kindOf(err)
}

func (r *LineReader) end() {
	r.done = true
	if r.kind != plain {
		r.arrived = r.in.Size
		// The last line may go beyond the range's end.
	}
	r.arrived = max(r.arrived, r.in.End)
	r.counts.BytesRead = r.arrived - r.in.Start
}

// NextStart returns, after io.EOF, where the next range must start: at the first line that starts at or after the
// range's end.
func (r *LineReader) NextStart() int64 { return r.arrived }

// Close does nothing; the caller closes the source.
func (r *LineReader) Close() {}

// LineStarts returns where a file of lines can be split into ranges of about every bytes: 0 first, then starts of
// lines. It does not split compressed files, nor files whose records are not lines.
func LineStarts(src io.ReaderAt, size, every int64, f Lines) ([]int64, error) {
	starts := []int64{0}
	head := make([]byte, min(size, headBytes))
	if _, err := src.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, err
	}
	// An empty reader suffices: only whether there are Frames matters.
	if every <= 0 || told(head) != plain || framesOf(f, bytes.NewReader(nil), head, 0) != nil {
		return starts, nil
	}
	for from := every; from < size; {
		at, err := lineEnd(src, from, size)
		if err != nil {
			return nil, err
		}
		if at >= size {
			break
		}
		starts = append(starts, at)
		// After a line longer than a range, the next range has at least half the size, to avoid tiny ones.
		from = max(from+every, at+(every+1)/2)
	}
	return starts, nil
}

// lineEnd returns the first start of a line at or after from, or size.
func lineEnd(src io.ReaderAt, from, size int64) (int64, error) {
	buf := make([]byte, headBytes)
	// One byte earlier: a line end right before from makes from a start.
	for at := from - 1; at < size; at += int64(len(buf)) {
		n, err := src.ReadAt(buf[:min(int64(len(buf)), size-at)], at)
		if err != nil && err != io.EOF {
			return 0, fmt.Errorf("reading at byte %d: %w", at, err)
		}
		if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
			return at + int64(i) + 1, nil
		}
	}
	return size, nil
}
