package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	jsonlines "github.com/gleaner-web/gleaner/io/stream/lines"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// task is a unit to be done, as it travels to the worker.
type task struct {
	Unit   schemas.Unit
	Key    string
	Stamps map[string]string // of the inputs' files when they were planned
}

// engine does units, without Beam. Its methods may be called by several goroutines at the same time.
type engine struct {
	o         Options
	store     *blob.Store
	out       outputFolder
	enrich    *enrich.Enricher
	documents *docsandbox.Reader // of what is no page
	*session
	templates *templates // nil without --site_templates
	taken     collection.Takedowns
	sinks     sink.Set
}

func newEngine(o Options) (*engine, error) {
	s := sessionOf(o)
	d, err := docsandbox.New(cap(s.pool.captures))
	if err != nil {
		return nil, err
	}
	e, err := enrich.New(o.enrich())
	if err != nil {
		return nil, err
	}
	e.ReadDocumentsBy(d.Read)
	out := openOutput(context.Background(), o) // it outlives the call
	t, err := openTemplates(out, o)
	if err != nil {
		return nil, errors.Join(err, out.Close())
	}
	taken, err := collection.ReadTakedowns(out)
	if err != nil {
		return nil, errors.Join(err, t.Close(), out.Close())
	}
	to, err := o.Sinks.Open(context.Background()) // likewise
	if err != nil {
		return nil, errors.Join(err, t.Close(), out.Close())
	}
	return &engine{
		o: o, store: blob.New(o.Remote), out: out, enrich: e, documents: d, session: s, templates: t, sinks: to,
		taken: taken,
	}, nil
}

// Close closes what newEngine opened.
func (e *engine) Close() error {
	e.documents.Close()
	return errors.Join(e.sinks.Close(), e.store.Close(), e.templates.Close(), e.out.Close())
}

// unit reads, enriches, writes and commits one unit. When it fails, it leaves nothing behind. A member that turns out
// to be damaged behind documents that were made of it has the unit done once more, with what is known now: documents
// are written with all their flags, or not at all.
func (e *engine) unit(ctx context.Context, t task) (row report.Row, err error) {
	var doubts archive.Doubts
	for {
		known := doubts.Len()
		row, err = e.attempt(ctx, t, &doubts)
		if err != nil || doubts.Len() == known || e.o.indexOnly() { // lines of an index have no flags, so it is committed
			return row, err
		}
	}
}

// attempt does one unit, but for the commit when it has found doubts that were not known.
func (e *engine) attempt(ctx context.Context, t task, doubts *archive.Doubts) (row report.Row, err error) {
	w, err := collection.NewWriter(e.out, t.Unit, t.Key, e.o.collection())
	if err != nil {
		return row, err
	}
	defer w.Abort()
	u := newUnitRun(e.session, w, t.Unit.Bytes())
	u.taken = e.taken
	u.reading = u.live.Begin(t.Unit.Inputs[0].File)
	defer u.reading.End()
	defer func() { u.logEnd(ctx, t.Unit, err) }()
	if u.sinks, err = e.sinks.Begin(ctx, &u.counts, u.reject); err != nil {
		return row, err
	}
	defer u.sinks.Abort()
	known := doubts.Len()
	read := e.captures
	if e.o.indexOnly() {
		read = e.index
	}
	if err := read(ctx, e.store.At(t.Stamps), t.Unit, u, doubts); err != nil {
		return row, err
	}
	if doubts.Len() > known && !e.o.indexOnly() { // lines of an index have no flags
		u.undo()
		return row, nil
	}
	return e.commit(ctx, t, u)
}

// document enriches a capture.
func (e *engine) document(it *item) error {
	t, err := e.templates.of(it.cap)
	if err != nil {
		return err
	}
	var wall []time.Duration
	cpu := report.CPUTime(func() {
		watch := enrich.NewStopwatch(clock)
		e.extract(it, t, watch)
		wall = watch.Spent()
	})
	it.spent = report.Share(wall, cpu)
	it.sent, err = e.sinks.Encode(&sink.Page{
		Capture: it.cap, Document: it.doc, Content: it.record, HTML: func() []byte { return e.enrich.HTML(it.cap) },
	})
	return cmp.Or(err, e.documents.Err())
}

// extract makes of a capture what the formats want of it.
func (e *engine) extract(it *item, t sitetemplate.Template, watch *enrich.Stopwatch) {
	r := e.enrich.Enrich(it.cap, enrich.Want{Template: t, Page: e.o.records(), Watch: watch})
	it.doc, it.feeds = r.Document, r.Feeds
	if e.o.records() {
		it.record = datastreamer.FromDocument(r.Document, r.Page)
	}
}

// captures enriches the captures of in, side by side, and writes them in their order.
func (e *engine) captures(ctx context.Context, store *blob.Store, in schemas.Unit, u *unitRun,
	doubts *archive.Doubts,
) error {
	q := &queue{slots: e.pool.captures, live: e.live, work: e.document, write: u.write}
	defer q.abandon()
	defer context.AfterFunc(ctx, e.documents.Close)() // before that, or an interrupt would wait for a hostile document
	o := e.o.capture()
	o.MaxSegments, o.Doubts = collection.MaxSegments, doubts
	r := e.reader(store, in, o)
	for item, err := range r.All(ctx) {
		switch {
		case err != nil:
			return err
		case item.Segment != nil:
			u.w.Segment(*item.Segment)
			continue
		case item.Capture != nil:
			u.read(item.Capture.Origin)
		}
		if !u.allows(&item) {
			continue
		}
		if err := q.take(item); err != nil {
			return err
		}
	}
	u.counts.Add(r.Counts())
	u.inputs = r.Inputs()
	return q.drain()
}

// index writes the captures' lines alone. Where nothing is enriched, nothing is to be done side by side.
func (e *engine) index(ctx context.Context, store *blob.Store, in schemas.Unit, u *unitRun, _ *archive.Doubts) error {
	r := e.reader(store, in, e.o.capture())
	for item, err := range r.All(ctx) {
		switch c := item.Capture; {
		case err != nil:
		case !u.allows(&item):
		case c == nil:
			err = u.reject(*item.Reject)
		default:
			u.read(c.Origin)
			err = u.capture(c, urlkey.SURT(c.URL))
		}
		if err != nil {
			return err
		}
	}
	u.counts.Add(r.Counts())
	u.inputs = r.Inputs()
	return nil
}

// commit notes what the inputs were and makes the unit's shards final. Units that only index note no fingerprints:
// these read the archive a second time, which costs a tenth to a half of indexing it again. What goes to servers is
// there before the unit is done: one that is repeated sends again.
func (e *engine) commit(ctx context.Context, t task, u *unitRun) (report.Row, error) {
	if err := u.sinks.Commit(); err != nil {
		return report.Row{}, err
	}
	for i, in := range u.inputs {
		print := ""
		// Groups are told by their stamps alone: to open a million files again costs more.
		if !e.o.indexOnly() && in.Kind() != schemas.KindGroup && in.Unreadable == "" && in.Kind() != schemas.KindTopic {
			var err error
			print, err = fingerprint(ctx, e.store, in, t.Stamps[in.File])
			if why, bad := blob.Unreadable(err); bad {
				in.Unreadable = why // by now
			} else if err != nil {
				return report.Row{}, err
			}
		}
		u.w.SetInput(i, print, in.Next)
		u.w.SetUnreadable(i, in.Unreadable)
	}
	result, err := u.w.Commit(u.counts, collection.Note{
		Stamps: t.Stamps, Options: e.o.unitKey(), Dir: e.o.Dir,
		Division: e.o.Division,
	})
	if err != nil {
		return report.Row{}, err
	}
	u.live.Bytes.Add(u.left)
	u.live.Units.Add(1)
	u.measures.End(time.Since(u.began), cli.PeakMemory())
	return report.Row{UnitResult: result, Measures: &u.measures}, nil
}

// fingerprint tells surely whether a range is what it was: by its bytes, or in an object store, where reading them
// again costs, by the object's version.
func fingerprint(ctx context.Context, s *blob.Store, in schemas.Range, stamp string) (string, error) {
	if blob.IsRemote(in.File) {
		return "version:" + stamp, nil
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
	*session
	w      *collection.Writer
	inputs []schemas.Range // as they were read
	counts schemas.Counts  // of documents and of what enrichment rejected
	bytes  int64           // of the unit
	left   int64           // of these, not yet shown as progress
	shown  int64           // captures that are

	began    time.Time
	measures report.Measures
	at       schemas.Origin // of the capture that was read last
	reading  *cli.Reading   // shows where that is
	sinks    *sink.Delivery // beside the output
	taken    collection.Takedowns
}

func newUnitRun(s *session, w *collection.Writer, bytes int64) *unitRun {
	return &unitRun{session: s, w: w, bytes: bytes, left: bytes, began: time.Now()}
}

// allows leaves out a capture whose page was taken down, which it counts, and takes out of a reject what it says of one.
func (u *unitRun) allows(item *archive.Item) bool {
	if c := item.Capture; c != nil && u.taken.Has(c.URL) {
		u.counts.TakenDown++
		return false
	}
	if r := item.Reject; r != nil {
		clean := u.taken.Clean(*r)
		item.Reject = &clean
	}
	return true
}

// read notes where the capture stands that was read last.
func (u *unitRun) read(at schemas.Origin) {
	u.at = at
	u.reading.At(at.File)
}

// write writes one item to the shards.
func (u *unitRun) write(it *item) error {
	if it.reject != nil {
		return u.reject(*it.reject)
	}
	if err := u.record(it); err != nil {
		return err
	}
	if err := u.w.Document(it.doc); err != nil {
		return err
	}
	if err := u.sinks.Write(it.sent); err != nil {
		return err
	}
	u.count(it.doc)
	for _, f := range it.feeds {
		u.counts.Feeds++
		if err := u.w.Feed(f); err != nil {
			return err
		}
	}
	if err := u.capture(it.cap, it.doc.SURT); err != nil {
		return err
	}
	u.measure(it)
	return u.failures(it.doc)
}

// record writes Datastreamer's record of a page. One that is too long for a line becomes an error of the document.
func (u *unitRun) record(it *item) error {
	if it.record == nil {
		return nil
	}
	err := u.w.Content(it.record)
	if errors.Is(err, jsonlines.ErrTooLong) {
		it.doc.Errors = append(it.doc.Errors, schemas.StageError{
			Stage: "content", Kind: schemas.KindLimit,
			Message: err.Error(),
		})
		return nil
	}
	return err
}

func (u *unitRun) reject(r schemas.Reject) error {
	u.live.Reject(string(r.Kind))
	return u.w.Reject(r)
}

// capture writes c's line of the index and shows that c is done.
func (u *unitRun) capture(c *schemas.Capture, surt string) error {
	if err := u.w.CDX(indexLine(c, surt)); err != nil {
		return err
	}
	n := min(c.Origin.Length, u.left)
	u.left -= n
	u.live.Bytes.Add(n)
	u.live.Captures.Add(1)
	u.shown++
	return nil
}

// undo takes back what was shown of a unit that is done once more.
func (u *unitRun) undo() {
	u.live.Bytes.Add(u.left - u.bytes)
	u.live.Captures.Add(-u.shown)
}

func (u *unitRun) count(d *schemas.Document) {
	u.counts.Documents++
	u.counts.TemplateBlocks += int64(d.TemplateBlocks)
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
		err := u.reject(schemas.Reject{
			File: d.Filename, Offset: d.Offset, Length: d.Length, Stage: e.Stage, Kind: e.Kind, Message: e.Message,
			URL: d.URL, Record: d.RecordID,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// indexLine makes a capture's line of the index.
func indexLine(c *schemas.Capture, surt string) cdx.Line {
	l := cdx.Line{
		SURT: surt, Timestamp: c.Timestamp, URL: c.URL, MIME: c.MIMEDeclared, Status: c.Status, Digest: c.Digest,
		Length: c.Origin.Length, Offset: c.Origin.Offset, Filename: c.Origin.File,
	}
	if c.RecordType == schemas.TypeRevisit {
		l.MIME = cdx.MIMERevisit
	}
	if c.Origin.Sequence > 0 || isTopic(c.Origin.File) {
		l.Offset = -1 // there begins another record, which a reader of the index would take for this one, or none
	}
	return l
}
