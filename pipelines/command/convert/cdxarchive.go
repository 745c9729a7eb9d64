package convert

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// archiveLines reads the ranges of an archive, and makes a line of each capture.
func (c *cdxConfig) archiveLines(
	store *blob.Store, ranges []schemas.Range,
) func(context.Context, string, func([]byte) error, func(error)) error {
	return func(ctx context.Context, name string, add func([]byte) error, bad func(error)) error {
		r := work.NewReader(store, schemas.Unit{Inputs: ranges}, c.reading)
		defer r.Close()
		p := pairing{add: func(item *schemas.Capture, key string) error {
			l := archiveLine(item, key)
			if f := ranges[0]; f.Group == nil && l.Filename == f.File {
				l.Filename = name
			}
			return add(bytes.TrimSuffix(l.AppendTo(nil), []byte("\n")))
		}}
		for {
			item, err := r.Next(ctx)
			if err == io.EOF {
				return p.end()
			}
			if err == nil && item.Reject != nil {
				bad(rejected(item.Reject))
			}
			if err == nil {
				err = c.take(&p, item)
			}
			if err != nil {
				return err
			}
		}
	}
}

// rejected is the error of a reject.
func rejected(r *schemas.Reject) error {
	kind := errors.New(string(r.Kind))
	if r.Kind == schemas.KindUnreadable {
		kind = errUnread
	}
	return fmt.Errorf("at %d: %w: %s", r.Offset, kind, r.Message)
}

// take takes an item. Requests matter for --post only.
func (c *cdxConfig) take(p *pairing, item archive.Item) error {
	switch {
	case item.Capture != nil && !c.post:
		return p.add(item.Capture, urlkey.SURT(item.Capture.URL))
	case item.Capture != nil:
		return p.capture(item.Capture)
	case item.Record != nil:
		return p.record(item.Record)
	}
	return nil
}

// archiveLine is the line of a capture, as ingest writes it.
func archiveLine(c *schemas.Capture, key string) cdx.Line {
	l := cdx.Line{
		SURT: key, Timestamp: c.Timestamp, URL: c.URL, MIME: c.MIMEDeclared, Status: c.Status, Digest: c.Digest,
		Length: c.Origin.Length, Offset: c.Origin.Offset, Filename: c.Origin.File,
	}
	if c.RecordType == schemas.TypeRevisit {
		l.MIME = cdx.MIMERevisit
	}
	if c.Origin.Sequence > 0 {
		l.Offset = -1 // another record begins there
	}
	return l
}
