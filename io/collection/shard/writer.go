package shard

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// Options say what a unit writes; the zero value writes documents as JSON lines, compressed with zstd.
type Options struct {
	// Formats are some of FormatJSONL, FormatParquet, FormatContent, FormatWET, FormatLinks, FormatData and FormatCDXJ;
	// the default is FormatJSONL.
	Formats     []string
	Compression jsonl.Compression // of JSON lines: documents, content, rejects and feeds; zstd
	Feeds       bool              // write rows of feeds, too
	Versions    map[string]string // of the transforms that make the unit, for its row
}

func (o Options) WithDefaults() Options {
	if len(o.Formats) == 0 {
		o.Formats = []string{holdings.FormatJSONL}
	}
	o.Compression = cmp.Or(o.Compression, jsonl.Zstd)
	return o
}

// Check returns an error if the options are invalid, for commands to report before they start.
func (o Options) Check() error {
	for _, f := range o.Formats {
		if !slices.Contains(holdings.Formats(), f) {
			return fmt.Errorf("unknown format %q: there are %s", f, strings.Join(holdings.Formats(), ", "))
		}
	}
	if _, err := jsonl.ParseCompression(string(o.Compression)); err != nil {
		return err
	}
	return nil
}

// Writer writes the shards of one unit. It is for one goroutine. Other writers, even of the same unit, may work at the
// same time, here or elsewhere.
type Writer struct {
	f       folder.Folder
	row     ledger.Row
	unique  string
	spill   string    // local folder for what exceeds encoders' memory
	outputs []*Output // in the order of the result's shards
	write   []func(*schemas.Document) error
	content func(*datastreamer.Content) error // nil unless the format is asked for
	reject  func(schemas.Reject) error
	feed    func(schemas.FeedCapture) error // nil without Options.Feeds
	links   func([]schemas.Link) error      // nil unless the format is asked for
	data    func([]schemas.Datum) error     // as links
	capture func(cdx.Line) error
	hosts   *schemas.HostCounter
	done    bool
}

// NewWriter begins the unit u, one of a plan or Joined, in the folder of an open collection. Every unit has all its
// files, even empty ones. The caller ends the writer with Commit or Abort.
func NewWriter(f folder.Folder, u schemas.Unit, key string, o Options) (*Writer, error) {
	row := ledger.Row{Key: key, UnitResult: schemas.UnitResult{Unit: u, Versions: o.Versions}}
	// The key becomes part of file names.
	if !ledger.ValidKey(row.Key) {
		return nil, ledger.ErrKey
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	row.Inputs = slices.Clone(row.Inputs) // SetInput changes them
	w := &Writer{f: f, row: row, unique: folder.Unique(), hosts: schemas.NewHostCounter(UnitHosts)}
	if err := w.open(o.WithDefaults()); err != nil {
		w.Abort()
		return nil, err
	}
	return w, nil
}

// open creates the files. Encoders spill to a folder beside the rows, if it is local: it is on the disk that the user
// chose for output.
func (w *Writer) open(o Options) (err error) {
	if w.spill, err = w.f.Temp(ledger.SpillName(w.unique)); err != nil {
		return fmt.Errorf("%s is not an open collection: %w", w.f.Path(""), err)
	}
	has := func(format string) bool { return slices.Contains(o.Formats, format) }
	// Outputs have the order of the row's shards, which must not depend on the order of o.Formats.
	for _, out := range []struct {
		wanted bool
		open   func(c jsonl.Compression) error
	}{
		{has(holdings.FormatJSONL), w.openDocuments},
		{has(holdings.FormatParquet), w.openParquet},
		{has(holdings.FormatContent), w.openContent},
		{has(holdings.FormatWET), w.openTexts},
		{true, w.openRejects},
		{o.Feeds, w.openFeeds},
		{has(holdings.FormatLinks), w.openLinks},
		{has(holdings.FormatData), w.openData},
		{true, w.openCaptures},
	} {
		if !out.wanted {
			continue
		}
		if err := out.open(o.Compression); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) openDocuments(c jsonl.Compression) error {
	out, enc, err := w.openLines(holdings.KindDocuments, c)
	if err != nil {
		return err
	}
	w.write = append(w.write, func(d *schemas.Document) error { return out.wrap(enc.Write(d)) })
	return nil
}

func (w *Writer) openLines(kind string, c jsonl.Compression) (*Output, *jsonl.Writer, error) {
	out, err := w.add(holdings.FileType{Kind: kind, Ext: c.Ext()})
	if err != nil {
		return nil, nil, err
	}
	enc, err := jsonl.NewWriter(out, c)
	if err != nil {
		return nil, nil, out.wrap(err)
	}
	out.Enc = enc
	return out, enc, nil
}

func (w *Writer) openParquet(jsonl.Compression) error {
	out, err := w.add(holdings.Table)
	if err != nil {
		return err
	}
	// It sorts its rows when it is closed; what exceeds its memory goes to the spill.
	enc := parquetfile.NewWriter(out, parquetfile.Options{TempDir: w.spill})
	out.Enc = enc
	w.write = append(w.write, func(d *schemas.Document) error { return out.wrap(enc.Write(d)) })
	return nil
}

func (w *Writer) openContent(c jsonl.Compression) error {
	out, enc, err := w.openLines(holdings.KindContent, c)
	if err != nil {
		return err
	}
	w.content = func(r *datastreamer.Content) error { return out.wrap(enc.Write(r)) }
	return nil
}

// openTexts opens the output of texts. Documents without a text are omitted.
func (w *Writer) openTexts(jsonl.Compression) error {
	out, err := w.add(holdings.FileType{Kind: holdings.KindTexts, Ext: holdings.ExtWET})
	if err != nil {
		return err
	}
	// Named by the key, so that two attempts write the same bytes.
	enc := warc.NewWETFile(out, w.row.Key, dump.WriteOptions{})
	out.Enc = enc
	w.write = append(w.write, func(d *schemas.Document) error {
		// A conversion record needs a target and a text.
		if d.Text == "" || d.URL == "" {
			return nil
		}
		return out.wrap(enc.Write(d))
	})
	return nil
}

func (w *Writer) openRejects(c jsonl.Compression) error {
	out, enc, err := w.openLines(holdings.KindRejects, c)
	if err != nil {
		return err
	}
	var row schemas.Reject // reused, because an interface of a value would copy each reject
	w.reject = func(r schemas.Reject) error {
		row = r
		return out.wrap(enc.Write(&row))
	}
	return nil
}

func (w *Writer) openFeeds(c jsonl.Compression) error {
	out, enc, err := w.openLines(holdings.KindFeeds, c)
	if err != nil {
		return err
	}
	w.feed = func(f schemas.FeedCapture) error { return out.wrap(enc.Write(f)) }
	return nil
}

func (w *Writer) openLinks(jsonl.Compression) error {
	out, err := w.add(holdings.FileType{Kind: holdings.KindLinks, Ext: holdings.ExtParquet})
	if err != nil {
		return err
	}
	enc := parquetfile.NewLinkWriter(out, parquetfile.Options{TempDir: w.spill})
	out.Enc = enc
	w.links = func(l []schemas.Link) error { return out.wrap(enc.Write(l)) }
	return nil
}

func (w *Writer) openData(jsonl.Compression) error {
	out, err := w.add(holdings.FileType{Kind: holdings.KindData, Ext: holdings.ExtParquet})
	if err != nil {
		return err
	}
	enc := parquetfile.NewDataWriter(out, parquetfile.Options{TempDir: w.spill})
	out.Enc = enc
	w.data = func(rows []schemas.Datum) error { return out.wrap(enc.Write(rows)) }
	return nil
}

func (w *Writer) openCaptures(jsonl.Compression) error {
	out, err := w.add(holdings.FileType{Kind: holdings.KindCaptures, Ext: holdings.ExtCDXJ})
	if err != nil {
		return err
	}
	// Captures come in the order of the archive and are written in the order of SURTs.
	enc := cdx.NewSortedWriter(out, cdx.Options{TempDir: w.spill})
	out.Enc = enc
	w.capture = func(l cdx.Line) error { return out.wrap(enc.Add(l)) }
	return nil
}

// Add opens one more output. The caller sets its encoder before anything is written.
func (w *Writer) add(p holdings.FileType) (*Output, error) {
	name := p.Name(ledger.UnitOfKey(w.row.Key)).String()
	out, err := Create(w.f, name, w.unique)
	if err != nil {
		return nil, err
	}
	w.outputs = append(w.outputs, out)
	return out, nil
}

// Document writes d in every format of documents, which may be none. The writer keeps nothing of d.
func (w *Writer) Document(d *schemas.Document) error {
	if w.done {
		return errEnded
	}
	for _, write := range w.write {
		if err := write(d); err != nil {
			return err
		}
	}
	// Counted here, because there may be no format of documents.
	w.hosts.Add(d.Host, 1)
	return nil
}

// write writes r, unless nobody asked for its output.
func write[T any](w *Writer, to func(T) error, r T) error {
	switch {
	case w.done:
		return errEnded
	case to == nil:
		return nil
	}
	return to(r)
}

// Content writes r if the format is asked for. A record longer than a line may be is an error of kind lines.ErrTooLong:
// it is not written, and the writer remains usable.
func (w *Writer) Content(r *datastreamer.Content) error { return write(w, w.content, r) }

// Reject writes r.
func (w *Writer) Reject(r schemas.Reject) error { return write(w, w.reject, r) }

// Feed writes f if Options.Feeds is set.
func (w *Writer) Feed(f schemas.FeedCapture) error { return write(w, w.feed, f) }

// Links writes the links of one page if the format is asked for.
func (w *Writer) Links(links []schemas.Link) error { return write(w, w.links, links) }

// Data writes the structured data of one page if the format is asked for.
func (w *Writer) Data(rows []schemas.Datum) error { return write(w, w.data, rows) }

// CDX adds a line to the index, which is sorted when it is written.
func (w *Writer) CDX(l cdx.Line) error { return write(w, w.capture, l) }

// SetInput records what reading learnt about the input of this index in Unit.Inputs, for the row and the manifest. The
// fingerprint is "" if none was made; next is where reading ended (see schemas.Range). An invalid index is ignored.
func (w *Writer) SetInput(input int, fingerprint string, next int64) {
	if input >= 0 && input < len(w.row.Inputs) {
		w.row.Inputs[input].Fingerprint, w.row.Inputs[input].Next = fingerprint, next
	}
}

// SetUnreadable records why the input of this index in Unit.Inputs could not be read to its end, or "" if it could. The
// next run then tries again.
func (w *Writer) SetUnreadable(input int, why string) {
	if input >= 0 && input < len(w.row.Inputs) {
		w.row.Inputs[input].Unreadable = why
	}
}

// Segment records a segment of a logical record in the unit's row and reports whether it did. It does not after
// MaxSegments.
func (w *Writer) Segment(s schemas.Segment) bool {
	if len(w.row.Segments) >= ledger.MaxSegments {
		return false
	}
	w.row.Segments = append(w.row.Segments, s)
	return true
}

// Commit makes the shards durable, renames them and then writes the unit's row with the note. Before the row exists the
// unit is not done. After an error it is not done, and no part of a shard is left.
func (w *Writer) Commit(counts schemas.Counts, note ledger.Note) (schemas.UnitResult, error) {
	if w.done {
		return schemas.UnitResult{}, errEnded
	}
	defer w.Abort()
	w.row.Counts, w.row.Note, w.row.Hosts = counts, note, w.hosts.All()
	for _, o := range w.outputs {
		// All files are complete and on disk before the first is renamed.
		s, err := o.Finish()
		if err != nil {
			return schemas.UnitResult{}, err
		}
		w.row.Shards, w.row.Modified = append(w.row.Shards, s), append(w.row.Modified, o.Time)
	}
	if err := w.publish(); err != nil {
		return schemas.UnitResult{}, fmt.Errorf("unit %d: %w", w.row.ID, err)
	}
	return w.row.UnitResult, nil
}

// publish renames the files. The row is first written as a pending row: after a crash it identifies shards of a unit
// that was not committed.
func (w *Writer) publish() error {
	data, err := folder.EncodeJSON(w.row)
	if err != nil {
		return err
	}
	row := holdings.Hidden(ledger.RowFile(w.row.Key))
	pending := row + ".pending-" + w.unique
	if err := w.f.Write(pending, data); err != nil {
		return err
	}
	for _, o := range w.outputs {
		// Another attempt at the same unit writes the same bytes, so it may replace these files.
		if err := w.f.Rename(o.Temp, o.Name); err != nil {
			return err
		}
	}
	if err := w.f.Sync(""); err != nil {
		return err
	}
	// Renaming the row makes the unit done.
	return errors.Join(w.f.Rename(pending, row), w.f.Sync(holdings.HiddenDir))
}

// Abort removes the unit's temporary files. It does nothing after Commit or another Abort, so that it can be deferred.
func (w *Writer) Abort() {
	if w.done {
		return
	}
	w.done = true
	for _, o := range w.outputs {
		o.Discard()
	}
	_ = os.RemoveAll(w.spill) // otherwise Open sweeps it
}

// UnitHosts limits the host counter of a unit, which is exact up to twice its limit. A row grows by 30 bytes a host.
const UnitHosts = 128
