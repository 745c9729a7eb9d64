package archive

import (
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
)

// CaptureAt reads the capture with this sequence in a gzip member, from a place inside the member on. It is the capture
// that a reader of the whole file returns. If there is any doubt, the error is member.ErrPoint, and the member has to
// be read from its start.
func CaptureAt(src io.ReaderAt, in Input, f Format, o Options, from record.From, sequence int) (*schemas.Capture,
	error,
) {
	r := &recordReader{in: in, src: src, format: f, g: f.grammar(), o: o}
	if r.g == nil || f.Compression != member.Gzip {
		return nil, fmt.Errorf("%w: the file is %s", member.ErrPoint, f)
	}
	var err error
	r.records, err = record.Resume(src, in.Size, from, r.g, record.Options{
		MaxBlock: o.MaxBlock(), MaxHead: o.MaxHead, OnQuirk: r.countQuirk, Others: otherGrammars(f),
	})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		rec, loss, err := r.records.Step()
		switch {
		case err == io.EOF, loss != nil:
			return nil, fmt.Errorf("%w: no record %d", member.ErrPoint, sequence)
		case err != nil:
			return nil, err
		case rec.Offset == from.Member && rec.Ordinal < sequence:
			continue
		case rec.Offset != from.Member || rec.Ordinal > sequence || schemas.Damaged(rec.Flags):
			return nil, fmt.Errorf("%w: record %d is damaged or not there", member.ErrPoint, sequence)
		}
		r.g = r.records.Grammar().(grammar) // all that it was given are
		c := r.item(rec).Capture
		if c == nil {
			return nil, fmt.Errorf("%w: record %d is no capture", member.ErrPoint, sequence)
		}
		return c, r.records.Confirm()
	}
}
