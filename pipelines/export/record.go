package export

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// maxHead limits the head of a copied record, in bytes; longer ones are read as captures.
const maxHead = 64 << 10

// oneRecord reports whether r holds exactly one WARC record, that of d: section 4 of WARC/1.1 (ISO 28500:2017). The
// error says that it is a segment. After false without an error, reading it as a capture may
// work. URL and id are compared as they are written; captures have them mended.
func oneRecord(r io.Reader, d *schemas.Document) (bool, error) {
	// ReadSlice fails for a line longer than the buffer, which bounds the memory.
	in := bufio.NewReaderSize(r, maxHead)
	fields, ok := readHead(in)
	if !ok {
		return false, nil
	}
	// Section 7 of WARC/1.1: the first segment has this field too.
	if fields["warc-segment-number"] != "" {
		return false, errSegment
	}
	// WARC/1.0 puts all URIs in angle brackets, WARC/1.1 only some.
	id := strings.Trim(fields["warc-record-id"], "<>")
	if d.RecordID != "" && id != d.RecordID || strings.Trim(fields["warc-target-uri"], "<>") != d.URL {
		return false, nil
	}
	length, err := strconv.ParseInt(fields["content-length"], 10, 64)
	if err != nil || length < 0 {
		return false, nil
	}
	// Reading to the end checks the checksum of a gzip member.
	n, err := io.Copy(io.Discard, in)
	// Two line ends close a record.
	return err == nil && n == length+int64(len("\r\n\r\n")), nil
}

// readHead reads the fields of a record's head, with lower-case names. The first of equal names counts.
func readHead(in *bufio.Reader) (fields map[string]string, ok bool) {
	fields = map[string]string{}
	for first := true; ; first = false {
		line, err := in.ReadSlice('\n')
		// ReadSlice's result is valid only until the next read.
		if err != nil {
			return nil, false // also if a line is too long
		}
		text := strings.TrimRight(string(line), "\r\n")
		switch name, value, found := strings.Cut(text, ":"); {
		case first && !strings.HasPrefix(text, "WARC/"):
			return nil, false
		// The version line is not a field.
		case first:
		case text == "":
			return fields, true
		// The limit rejects an endless head.
		case !found || len(fields) > 1000:
			return nil, false
		case fields[strings.ToLower(name)] == "":
			fields[strings.ToLower(name)] = strings.TrimSpace(value)
		}
	}
}
