package unit

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/sink"
	jsonlines "github.com/gleaner-web/gleaner/io/stream/lines"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// unitRun is the state of one unit while it is written.
type unitRun struct {
	*session
	w      *shard.Writer
	inputs []schemas.Range // as they have been read
	counts schemas.Counts  // of documents and of what enrichment rejected
	bytes  int64           // of the unit's bytes
	left   int64           // bytes not yet shown as progress
	shown  int64           // captures already shown as progress

	began    time.Time
	measures report.Measures
	at       schemas.Origin // the capture that was read last
	reading  *cli.Reading   // shows that position
	sinks    *sink.Delivery // beside the output
	taken    takedown.List
	take     *int64 // how many captures may be taken, or nil for all
	made     int64  // how many captures have been taken
	points   seekPoints
}

func newUnitRun(s *session, w *shard.Writer, bytes int64) *unitRun {
	return &unitRun{session: s, w: w, bytes: bytes, left: bytes, began: time.Now()}
}

// allows reports whether an item may be written. It counts and refuses captures of pages taken down, and removes such
// pages from rejects.
func (u *unitRun) allows(item *archive.Item) bool {
	if c := item.Capture; c != nil && u.taken.Has(c.URL) {
		u.counts.TakenDown++
		return false
	}
	if r := item.Reject; r != nil {
		*r = u.taken.Clean(*r)
	}
	return true
}

// read notes the origin of the capture that was read last.
func (u *unitRun) read(at schemas.Origin) {
	u.at = at
	u.reading.At(at.File)
}

func (u *unitRun) write(it *item) error {
	if it.reject != nil {
		return u.reject(*it.reject)
	}
	if it.left == "" && !u.room() {
		it.left = leftByLimit
	}
	if it.left != "" {
		u.leave(it.cap, it.left)
		return nil
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
	u.counts.Document(it.doc)
	u.live.Documents.Add(1)
	for _, f := range it.feeds {
		u.counts.Feeds++
		if err := u.w.Feed(f); err != nil {
			return err
		}
	}
	if err := u.links(it.links); err != nil {
		return err
	}
	if err := u.data(it.data); err != nil {
		return err
	}
	if err := u.capture(it.cap, it.doc.SURT); err != nil {
		return err
	}
	u.measure(it)
	return u.failures(it.doc)
}

// links writes the links of a page, except those to pages taken down.
func (u *unitRun) links(links []schemas.Link) error {
	links = slices.DeleteFunc(links, func(l schemas.Link) bool { return u.taken.Has(l.Target) })
	u.counts.Links += int64(len(links))
	return u.w.Links(links)
}

// data writes the structured data of a page, except rows that name pages taken down.
func (u *unitRun) data(rows []schemas.Datum) error {
	rows = slices.DeleteFunc(rows, func(row schemas.Datum) bool { return u.taken.Quotes(&row) })
	u.counts.Data += int64(len(rows))
	return u.w.Data(rows)
}

// record writes Datastreamer's record of a page. If it is too long for a line, the document gets an error.
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

// reject shows and writes a reject, which its finder has counted.
func (u *unitRun) reject(r schemas.Reject) error {
	u.live.Reject(string(r.Kind))
	return u.w.Reject(r)
}

// capture writes c's index line and shows that c is done.
func (u *unitRun) capture(c *schemas.Capture, surt string) error {
	if err := u.w.CDX(indexLine(c, surt)); err != nil {
		return err
	}
	u.show(c)
	return nil
}

// show shows that c is done. The unit's remaining bytes bound the progress, so that it never exceeds the whole.
func (u *unitRun) show(c *schemas.Capture) {
	n := min(c.Origin.Length, u.left)
	u.left -= n
	u.live.Bytes.Add(n)
	u.live.Captures.Add(1)
	u.shown++
}

// undo takes back the progress of a unit that is repeated.
func (u *unitRun) undo() {
	u.live.Bytes.Add(u.left - u.bytes)
	u.live.Captures.Add(-u.shown)
	u.live.Documents.Add(-u.counts.Documents)
}

// failures writes rejects for what enrichment could not do. The documents exist all the same, so no bytes are lost.
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

func indexLine(c *schemas.Capture, surt string) cdx.Line {
	l := cdx.Line{
		SURT: surt, Timestamp: c.Timestamp, URL: c.URL, MIME: c.MIMEDeclared, Status: c.Status, Digest: c.Digest,
		Length: c.Origin.Length, Offset: c.Origin.Offset, Filename: c.Origin.File,
	}
	if c.RecordType == schemas.TypeRevisit {
		l.MIME = cdx.MIMERevisit
	}
	if c.Origin.Sequence > 0 || standing.IsTopic(c.Origin.File) {
		l.Offset = -1 // another record begins there, which a reader would take for this one
	}
	return l
}

// leave counts a capture that is left out.
func (u *unitRun) leave(c *schemas.Capture, why string) {
	schemas.Count(&u.counts.ByFilter, why, 1)
	u.show(c)
}

// room reports whether the unit may take another capture, and counts it. Calls in archive order make the choice the
// same each time.
func (u *unitRun) room() bool {
	if u.take != nil && u.made == *u.take {
		return false
	}
	u.made++
	return true
}

// measure notes how long enriching a capture took. Progress shows the sums, and the report has the slowest captures.
func (u *unitRun) measure(it *item) {
	u.live.Spend(enrich.Stages(), it.spent)
	u.measures.Capture(report.Slow{
		File: it.doc.Filename, Offset: it.doc.Offset, URL: it.doc.URL, Bytes: it.doc.BodyBytes,
	}, enrich.Stages(), it.spent)
}

// logEnd logs how a unit ended, unless it was interrupted. The offset is of the capture that was read last; the one
// that failed is at most a window away.
func (u *unitRun) logEnd(ctx context.Context, unit schemas.Unit, err error) {
	switch {
	case err == nil:
		u.log.Debug("unit done", "unit", unit.ID, "captures", u.counts.Captures, "seconds", u.measures.Seconds)
	case ctx.Err() == nil:
		u.log.Error("unit failed", "unit", unit.ID, "file", u.at.File, "offset", u.at.Offset, "error", err)
	}
}
