package export

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// maxHead bounds the head of a record that is copied as it is; longer ones are read as captures.
const maxHead = 64 << 10

// oneRecord reports whether r holds one WARC record to its end, and nothing else, and that it is the one of d: section
// 4 of WARC/1.1 (ISO 28500:2017). The error says that it is another, or not a whole one. False without an error is for
// what this function does not understand; reading it as a capture may.
func oneRecord(r io.Reader, d *schemas.Document) (bool, error) {
	// The reader's memory is the bound: a line that does not fit into it is an error of ReadSlice.
	in := bufio.NewReaderSize(r, maxHead)
	fields, ok := readHead(in)
	if !ok {
		return false, nil
	}
	// Section 7 of WARC/1.1: the first segment has it too.
	if fields["warc-segment-number"] != "" {
		return false, errSegment
	}
	// WARC/1.0 writes URIs between angle brackets, WARC/1.1 some of them.
	id := strings.Trim(fields["warc-record-id"], "<>")
	if d.RecordID != "" && id != d.RecordID || strings.Trim(fields["warc-target-uri"], "<>") != d.URL {
		return false, errNotThere
	}
	length, err := strconv.ParseInt(fields["content-length"], 10, 64)
	if err != nil || length < 0 {
		return false, nil
	}
	// The rest is read to its end, which for gzip checks the sum of the member, too.
	n, err := io.Copy(io.Discard, in)
	// Two line ends close a record; what a writer left out is not made up here.
	return err == nil && n == length+int64(len("\r\n\r\n")), nil
}

// readHead reads the fields of a record's head, with names in lower case. The first of a name counts.
func readHead(in *bufio.Reader) (fields map[string]string, ok bool) {
	fields = map[string]string{}
	for first := true; ; first = false {
		line, err := in.ReadSlice('\n')
		// ReadSlice's text is good until the next read, so it is made a string at once.
		if err != nil {
			return nil, false // also of a line that does not fit
		}
		text := strings.TrimRight(string(line), "\r\n")
		switch name, value, found := strings.Cut(text, ":"); {
		case first && !strings.HasPrefix(text, "WARC/"):
			return nil, false
		// The line with the version is not a field.
		case first:
		case text == "":
			return fields, true
		// A head without end is not a head.
		case !found || len(fields) > 1000:
			return nil, false
		case fields[strings.ToLower(name)] == "":
			fields[strings.ToLower(name)] = strings.TrimSpace(value)
		}
	}
}
