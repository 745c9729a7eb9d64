package webtable

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// A capture's head is everything except its payload. Values in archives are bytes and need not be text. So the head is
// a list of strings, each with its length (a varint) in front. The number of strings of each kind is known, and
// repeated kinds follow their number.

// errHead means that a cell is not a capture's head. The caller knows the key of the row, so the error has no details.
var errHead = errors.New("webtable: this is no head of a capture")

// noBody is the length of a payload that was not read.
const noBody = "-1"

// encodeHead returns the head of a capture, with length and hash of its payload.
func encodeHead(c *schemas.Capture) []byte {
	var b []byte
	put := func(values ...string) {
		for _, v := range values {
			b = append(binary.AppendUvarint(b, uint64(len(v))), v...)
		}
	}
	stamp, length := "", noBody
	if !c.Timestamp.IsZero() {
		stamp = c.Timestamp.UTC().Format(time.RFC3339Nano)
	}
	if c.Body != nil {
		// An empty payload has the length 0, and a missing one noBody: a capture distinguishes the two.
		length = strconv.Itoa(len(c.Body))
	}
	sum := sha256.Sum256(c.Body)
	put(
		c.URL, stamp, c.RecordID, string(c.RecordType), c.IP, strconv.Itoa(c.Status), c.MIMEDeclared, c.Digest, c.Truncated,
	)
	put(c.Origin.File, strconv.FormatInt(c.Origin.Offset, 10), strconv.FormatInt(c.Origin.Length, 10),
		strconv.Itoa(c.Origin.Sequence), length, string(sum[:]))
	put(strconv.Itoa(len(c.Flags)))
	for _, f := range c.Flags {
		put(string(f))
	}
	put(strconv.Itoa(len(c.Header)))
	for _, f := range c.Header {
		put(f.Name, f.Value)
	}
	put(strconv.Itoa(len(c.Crawl)))
	// Sorted, since the same capture must give the same bytes each time.
	for _, k := range slices.Sorted(maps.Keys(c.Crawl)) {
		put(k, c.Crawl[k])
	}
	if r := c.RefersTo; r != nil {
		put("1", r.RecordID, r.URL, r.Timestamp, r.Profile)
	} else {
		put("0")
	}
	return b
}

// head is the content of a capture's head cell.
type head struct {
	capture schemas.Capture
	length  int // of the payload in bytes; -1 when there is none
	sum     [sha256.Size]byte
}

// headReader reads strings from a cell. After an error it returns empty ones.
type headReader struct {
	b   []byte
	err error
}

func (r *headReader) text() string {
	n, size := binary.Uvarint(r.b)
	// Compared without sums, which could overflow.
	if size <= 0 || n > uint64(len(r.b)-size) {
		r.b, r.err = nil, errHead
		return ""
	}
	v := string(r.b[size : size+int(n)])
	r.b = r.b[size+int(n):]
	return v
}

func (r *headReader) number() int64 {
	n, err := strconv.ParseInt(r.text(), 10, 64)
	if err != nil {
		r.err = errHead
	}
	return n
}

// count returns a number of strings, each of which has at least a byte. The limit prevents loops of billions: after an
// error count is 0.
func (r *headReader) count() int {
	n := r.number()
	if n < 0 || n > int64(len(r.b)) {
		r.err = errHead
		return 0
	}
	return int(n)
}

// decodeHead is the inverse of encodeHead.
func decodeHead(b []byte) (head, error) {
	r := &headReader{b: b}
	var h head
	c := &h.capture
	c.URL = r.text()
	if stamp := r.text(); stamp != "" {
		t, err := time.Parse(time.RFC3339Nano, stamp)
		if err != nil {
			return h, errHead
		}
		c.Timestamp = t.UTC()
	}
	c.RecordID, c.RecordType, c.IP = r.text(), schemas.RecordType(r.text()), r.text()
	c.Status, c.MIMEDeclared, c.Digest, c.Truncated = int(r.number()), r.text(), r.text(), r.text()
	// Go evaluates the calls from left to right, which is the order in encodeHead.
	c.Origin = schemas.Origin{File: r.text(), Offset: r.number(), Length: r.number(), Sequence: int(r.number())}
	h.length = int(r.number())
	copy(h.sum[:], r.text())
	for range r.count() {
		c.Flags = append(c.Flags, schemas.Flag(r.text()))
	}
	for range r.count() {
		c.Header = append(c.Header, schemas.Field{Name: r.text(), Value: r.text()})
	}
	for range r.count() {
		k := r.text()
		c.SetCrawl(k, r.text())
	}
	if strings.HasPrefix(r.text(), "1") {
		c.RefersTo = &schemas.Reference{RecordID: r.text(), URL: r.text(), Timestamp: r.text(), Profile: r.text()}
	}
	return h, r.err
}
