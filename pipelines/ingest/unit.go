package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/io/blob"
	"github.com/gleaner-web/gleaner/io/cdx"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/unit"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// task is a unit to be done, as it travels to the worker.
type task struct {
	Unit   schemas.Unit
	Key    string
	Stamps map[string]string // of the inputs' files when they were planned
}

// engine does units, without Beam. Its methods may be called by several goroutines at the same time.
type engine struct {
	o      Options
	store  *blob.Store
	enrich *enrich.Enricher
	slots  chan struct{}
}

func newEngine(o Options, slots chan struct{}) (*engine, error) {
	e, err := enrich.New(o.enrich())
	if err != nil {
		return nil, err
	}
	return &engine{o: o, store: blob.New(blob.Options{}), enrich: e, slots: slots}, nil
}

func (e *engine) Close() error { return e.store.Close() }

// unit reads, enriches, writes and commits one unit. When it fails, it leaves nothing behind.
func (e *engine) unit(ctx context.Context, t task) (schemas.UnitResult, error) {
	w, err := collection.NewWriter(e.o.Output, t.Unit, e.o.Units, t.Key, e.o.collection())
	if err != nil {
		return schemas.UnitResult{}, err
	}
	defer w.Abort()
	u := &unitRun{w: w, left: t.Unit.Bytes()}
	q := &queue{slots: e.slots, enrich: e.enrich.Document, write: u.write}
	defer q.abandon()
	o := e.o.capture()
	o.OnReject, o.OnSegment = q.reject, w.Segment
	r := unit.NewReader(e.store, t.Unit, o)
	for c, err := range r.All(ctx) {
		if err != nil {
			return schemas.UnitResult{}, err
		}
		if err := q.capture(c); err != nil {
			return schemas.UnitResult{}, err
		}
	}
	if err := q.drain(); err != nil {
		return schemas.UnitResult{}, err
	}
	u.counts.Add(r.Counts())
	return e.commit(ctx, t, u)
}

// commit notes what the inputs were and makes the unit's shards final.
func (e *engine) commit(ctx context.Context, t task, u *unitRun) (schemas.UnitResult, error) {
	for i, in := range t.Unit.Inputs {
		print, err := fingerprint(ctx, e.store, in, t.Stamps[in.File])
		if err != nil {
			return schemas.UnitResult{}, err
		}
		u.w.SetFingerprint(i, print)
	}
	result, err := u.w.Commit(u.counts, t.Stamps)
	if err == nil {
		run.Live.Bytes.Add(u.left)
	}
	return result, err
}

// fingerprint tells surely whether a range is what it was: by its bytes, or in an object store, where reading them
// again costs, by the object's generation.
func fingerprint(ctx context.Context, s *blob.Store, in schemas.Range, stamp string) (string, error) {
	if strings.HasPrefix(in.File, "gs://") {
		return "generation:" + stamp, nil
	}
	o, err := s.Open(ctx, in.File)
	if err != nil {
		return "", err
	}
	defer o.Close()
	print, err := collection.Fingerprint(o, in.Start, in.End)
	if err != nil {
		return "", fmt.Errorf("%s: %w", in.File, err)
	}
	return print, nil
}

// unitRun is what one unit has written so far.
type unitRun struct {
	w      *collection.Writer
	counts schemas.Counts // of documents and of what enrichment rejected
	left   int64          // bytes not yet shown as progress
}

// write writes one item to the shards.
func (u *unitRun) write(it *item) error {
	if it.reject != nil {
		run.Live.Rejects.Add(1)
		return u.w.Reject(*it.reject)
	}
	if err := u.w.Document(it.doc); err != nil {
		return err
	}
	if err := u.w.CDX(index(it.cap, it.doc)); err != nil {
		return err
	}
	u.count(it.doc)
	n := min(it.doc.Length, u.left)
	u.left -= n
	run.Live.Bytes.Add(n)
	run.Live.Captures.Add(1)
	return u.failures(it.doc)
}

func (u *unitRun) count(d *schemas.Document) {
	u.counts.Documents++
	mime := d.MIMEDetected
	if mime == "" {
		mime = "unknown"
	}
	schemas.Count(&u.counts.ByMIME, mime, 1)
	if d.Language != "" {
		schemas.Count(&u.counts.ByLang, d.Language, 1)
	}
}

// failures rejects what enrichment could not do; the document is there all the same, so no bytes are lost.
func (u *unitRun) failures(d *schemas.Document) error {
	for _, e := range d.Errors {
		u.counts.Rejects++
		schemas.Count(&u.counts.ByReject, string(e.Kind), 1)
		run.Live.Rejects.Add(1)
		err := u.w.Reject(schemas.Reject{
			File: d.Filename, Offset: d.Offset, Length: d.Length, Stage: e.Stage, Kind: e.Kind, Message: e.Message,
			URL: d.URL, Record: d.RecordID,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// index makes a capture's line of the CDXJ.
func index(c *schemas.Capture, d *schemas.Document) cdx.Line {
	l := cdx.Line{
		SURT: d.SURT, Timestamp: c.Timestamp, URL: d.URL, MIME: d.MIMEDeclared, Status: d.Status, Digest: d.Digest,
		Length: d.Length, Offset: d.Offset, Filename: d.Filename,
	}
	if c.RecordType == schemas.TypeRevisit {
		l.MIME = "warc/revisit"
	}
	return l
}
