package care

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/schemas"
)

// texts copies the members of a file of texts whose pages are not listed, byte for byte.
func (t *removal) texts(w *shard.Writer, s schemas.Shard) (err error) {
	p, _ := holdings.FileTypeOf(s.Name)
	out, err := w.Raw(p)
	if err != nil {
		return err
	}
	f, err := t.f.Open(s.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := copyTexts(out, f, t.list.Has); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	return nil
}

// hasTexts reports whether a file of texts has one of a listed page.
func (t *removal) hasTexts(s schemas.Shard) (has bool, err error) {
	f, err := t.f.Open(s.Name)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	err = copyTexts(io.Discard, f, func(url string) bool {
		has = has || t.list.Has(url)
		return true
	})
	return has, err
}

// maxRecordHead is within how many bytes a record of ours names its page.
const maxRecordHead = 1 << 20

// copyTexts copies the members whose pages are not gone.
func copyTexts(to io.Writer, from io.Reader, gone func(url string) bool) error {
	kept := &keeping{in: bufio.NewReader(from)}
	z := &gzip.Reader{}
	for {
		if _, err := kept.in.Peek(1); errors.Is(err, io.EOF) {
			return nil
		}
		kept.member, kept.to = kept.member[:0], nil
		// One member a record: Annex D of WARC/1.1.
		if err := z.Reset(kept); err != nil {
			return err
		}
		z.Multistream(false)
		head, err := io.ReadAll(io.LimitReader(z, maxRecordHead))
		if err != nil {
			return err
		}
		// The member's own bytes are copied, so nothing is compressed again.
		kept.to = to
		if gone(targetOf(head)) {
			kept.to = io.Discard
		}
		// The rest is decoded only to find the member's end: a text may be of any length.
		_, err = io.Copy(io.Discard, z)
		if err = errors.Join(err, kept.flush()); err != nil {
			return err
		}
	}
}

// keeping keeps the bytes that a decoder reads, one by one, so that it takes no byte of the next member. It forwards
// them when their destination is known.
type keeping struct {
	in     *bufio.Reader
	to     io.Writer // nil while unknown
	member []byte
}

// keepBytes is the minimum number of kept bytes to write at once.
const keepBytes = 64 << 10

func (k *keeping) flush() error {
	_, err := k.to.Write(k.member)
	k.member = k.member[:0]
	return err
}

func (k *keeping) flushFull() error {
	if k.to == nil || len(k.member) < keepBytes {
		return nil
	}
	return k.flush()
}

// ReadByte reads for package gzip, which prefers it to Read.
func (k *keeping) ReadByte() (byte, error) {
	b, err := k.in.ReadByte()
	if err == nil {
		k.member = append(k.member, b)
		err = k.flushFull()
	}
	return b, err
}

// Read reads the member's head and trailer.
func (k *keeping) Read(p []byte) (int, error) {
	n, err := k.in.Read(p)
	k.member = append(k.member, p[:n]...)
	if err == nil {
		err = k.flushFull()
	}
	return n, err // io.EOF is not wrapped: decoders compare it
}

// targetOf returns the target URL of a record of a WET file.
func targetOf(record []byte) string {
	// A record's head ends with an empty line.
	head, _, _ := bytes.Cut(record, []byte("\r\n\r\n"))
	for line := range strings.SplitSeq(string(head), "\r\n") {
		if url, is := strings.CutPrefix(line, "WARC-Target-URI: "); is {
			// WARC/1.0 puts URIs in angle brackets, section 4 of ISO 28500:2009; WARC/1.1 does not.
			return strings.Trim(url, "<>")
		}
	}
	return ""
}
