package collection

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/schemas"
)

// texts copies the members of a file of texts that are not of pages on the list, each as it is.
func (t *takeOut) texts(w *Writer, s schemas.Shard) (err error) {
	p, _ := partOf(s.Name)
	out, err := w.add(p)
	if err != nil {
		return err
	}
	out.enc = io.NopCloser(nil)
	f, err := t.c.f.Open(s.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	kept := &keeping{in: bufio.NewReader(f)}
	for {
		if _, err := kept.in.Peek(1); errors.Is(err, io.EOF) {
			return nil
		}
		kept.member = kept.member[:0]
		// One member a record: Annex D of WARC/1.1.
		z, err := gzip.NewReader(kept)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		// A member at a time: each is one page's record, and is kept or dropped whole.
		z.Multistream(false)
		text, err := io.ReadAll(io.LimitReader(z, maxLineBytes))
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		if t.list.Has(targetOf(text)) {
			continue
		}
		// The member's own bytes, so that nothing is compressed again.
		if _, err := out.Write(kept.member); err != nil {
			return out.wrap(err)
		}
	}
}

// keeping keeps the bytes that a decoder takes, one by one, so that no byte of the next member is among them.
type keeping struct {
	in     *bufio.Reader
	member []byte
}

// ReadByte is what package gzip reads by where there is one.
func (k *keeping) ReadByte() (byte, error) {
	b, err := k.in.ReadByte()
	if err == nil {
		k.member = append(k.member, b)
	}
	return b, err
}

// Read reads what the member's head and end are read by.
func (k *keeping) Read(p []byte) (int, error) {
	n, err := k.in.Read(p)
	k.member = append(k.member, p[:n]...)
	return n, err
}

// targetOf is the URL that a record of a WET file is of.
func targetOf(record []byte) string {
	// The head of a record ends with an empty line.
	head, _, _ := bytes.Cut(record, []byte("\r\n\r\n"))
	for line := range strings.SplitSeq(string(head), "\r\n") {
		if url, is := strings.CutPrefix(line, "WARC-Target-URI: "); is {
			// WARC/1.0 has URIs in angle brackets, section 4 of ISO 28500:2009; WARC/1.1 has not.
			return strings.Trim(url, "<>")
		}
	}
	return ""
}
