package cdxserver

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// New answers for the collections of views. The parameter collection names one; the first one answers without it.
func New(v *view.Views) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		values := r.URL.Query()
		now, release, err := v.Open(r.Context(), values.Get("collection"))
		if err != nil {
			api.WriteError(w, err)
			return
		}
		// The snapshot's files stay open until the answer is written, even when a run replaces them
		// meanwhile.
		defer release()
		// Before the other parameters are read: the number is the same whatever they say.
		if values.Get("showNumPages") == "true" {
			pages(w, values.Get("output") == "json")
			return
		}
		// The path decides the dialect, since no parameter does. Other paths than /cdx/search… speak
		// pywb's.
		c, err := parse(values, strings.HasPrefix(r.URL.Path, "/cdx/search"))
		if err != nil {
			api.WriteError(w, err)
			return
		}
		// A client that has gone away makes an error too, which is nobody's fault and not worth a line
		// in the log.
		if err := c.answer(r.Context(), w, now); err != nil && r.Context().Err() == nil {
			slog.Warn("a CDX answer ended early", "error", err)
			panic(http.ErrAbortHandler) // nobody is to take the part for the whole
		}
	})
}

// pages says how many pages answers have.
func pages(w http.ResponseWriter, asJSON bool) {
	if asJSON {
		w.Header().Set("Content-Type", "application/json")
		// The members of pywb's answer. Blocks are of its compressed index, which there is none of
		// here.
		fmt.Fprintln(w, `{"blocks": 1, "pages": 1, "pageSize": 1}`)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintln(w, 1)
}

// line is the fields of a capture that are known, by pywb's names.
type line map[string]string

// columns of documents that lines are made of.
var columns = []string{
	"url", "surt", "timestamp", "mime_declared", "status", "digest", "length", "offset", "filename",
	"record_type", "sequence",
}

// lineOf is the line of a capture, as ingest writes it into indexes, with its text.
func lineOf(d *schemas.Document, dir string) (line, []byte) {
	// A capture without a time has the zero time, for which the text has a hyphen.
	t, _ := query.ParseTime(d.Timestamp)
	l := cdx.Line{
		SURT: d.SURT, Timestamp: t, URL: d.URL, MIME: d.MIMEDeclared, Status: d.Status, Digest: d.Digest, Length: d.Length,
		Offset: d.Offset, Filename: strings.TrimPrefix(d.Filename, dir),
	}
	if d.RecordType == schemas.TypeRevisit {
		// Replay tools find out by this word that the body is in another record, and look for it by
		// the digest.
		l.MIME = cdx.MIMERevisit
	}
	text := l.AppendTo(nil)
	// The other fields are read back from the text, so that filters see the very values that lines
	// show: what the writer left out or made of them is decided in package cdx alone.
	fields := line{"urlkey": d.SURT, "timestamp": t.UTC().Format("20060102150405")}
	if at := strings.IndexByte(string(text), '{'); at >= 0 {
		_ = json.Unmarshal(text[at:], &fields) // it was written a moment ago
	}
	return fields, text
}

// found are the lines that answer, in the order of SURTs and times.
func (c *question) found(ctx context.Context, now *shelf.Snapshot) iter.Seq2[entry, error] {
	// Names are relative to the folder that all archives are in: pywb looks them up in its own, and
	// the folders of this machine are nobody's business.
	dir := collection.ArchiveDir(now.Manifest.Units)
	return func(yield func(entry, error) bool) {
		for d, err := range now.DB.Find(ctx, c.q, columns) {
			if err != nil {
				yield(entry{}, err)
				return
			}
			if d.SURT == "" {
				continue // nothing can look it up
			}
			e := entry{}
			e.fields, e.text = lineOf(d, dir)
			if t, ok := query.ParseTime(d.Timestamp); ok {
				e.time = t
			}
			if passes(c.filters, e.fields) && !yield(e, nil) {
				return
			}
		}
	}
}

// entry is a line that answers.
type entry struct {
	fields line
	text   []byte // as CDXJ, with its line end
	time   time.Time
}

// answer writes the lines.
func (c *question) answer(ctx context.Context, w http.ResponseWriter, now *shelf.Snapshot) error {
	media := "text/plain; charset=utf-8"
	switch {
	case c.json && c.wayback:
		media = "application/json"
	case c.json:
		media = "application/x-ndjson"
	}
	w.Header().Set("Content-Type", media)
	// Written as found: an answer of 100,000 lines is never held as a whole, unless it has to be put
	// into another order.
	out := &writer{c: c, out: bufio.NewWriter(w)}
	n := 0
	each := c.found(ctx, now)
	// What comes first in these is known only when all was seen.
	if c.sort == "reverse" || c.sort == "closest" || c.last {
		list, err := c.sorted(each)
		if err != nil {
			return err
		}
		each = func(yield func(entry, error) bool) {
			for _, e := range list {
				if !yield(e, nil) {
					return
				}
			}
		}
	}
	for e, err := range each {
		if err != nil {
			return err
		}
		// After sorting: neighbours are those of the answer. Before the limit, which counts the lines
		// that are written.
		if c.collapse.drops(e.fields) {
			continue
		}
		if err := out.write(e); err != nil {
			return err
		}
		// The iterator ends with the loop, and the query with it: nothing is read that is not written.
		if n++; n == c.limit {
			break
		}
	}
	return out.close()
}

// sorted holds the lines, maxSorted at most, and puts them into the order that was asked for. Of more the newest are
// taken, or those that are closest of them: what asks for so many asks for the newest.
func (c *question) sorted(each iter.Seq2[entry, error]) (list []entry, err error) {
	for e, err := range each {
		if err != nil {
			return nil, err
		}
		list = append(list, e)
		if len(list) >= 2*maxSorted {
			// At twice the number and not at each line, so that what is moved costs each line one move
			// at most. It bounds the list at 2*maxSorted lines whatever the collection holds.
			list = append(list[:0], list[len(list)-maxSorted:]...)
		}
	}
	switch {
	case c.sort == "reverse":
		slices.Reverse(list)
	case c.sort == "closest":
		// Stable: of captures equally far away the order is that of the index, the same with each
		// request.
		slices.SortStableFunc(list, func(a, b entry) int {
			return cmp.Compare(a.time.Sub(c.closest).Abs(), b.time.Sub(c.closest).Abs())
		})
	case c.last && len(list) > c.limit:
		list = list[len(list)-c.limit:]
	}
	return list, nil
}

// writer writes lines in the form that was asked for.
type writer struct {
	c   *question
	out *bufio.Writer
	n   int
}

// waybackFields are those of the Wayback Machine's lines, where none are asked for.
var waybackFields = []string{"urlkey", "timestamp", "url", "mime", "status", "digest", "length"}

// waybackNames are its words for some.
var waybackNames = map[string]string{"url": "original", "mime": "mimetype", "status": "statuscode"}

func (w *writer) write(e entry) error {
	// row needs to know whether a line was written before it; deferred, it counts on each way out.
	defer func() { w.n++ }()
	fields := w.c.fields
	if w.c.wayback && fields == nil {
		fields = waybackFields
	}
	switch {
	case w.c.json && w.c.wayback:
		return w.row(e.fields, fields)
	case w.c.json:
		return w.object(e.fields, fields)
	case fields == nil:
		// The text ends its line itself.
		_, err := w.out.Write(e.text)
		return err
	}
	cells := make([]string, len(fields))
	for i, name := range fields {
		// Columns are split at spaces by those who read them, so that a space within a value is
		// escaped and an empty value is a hyphen, as in CDX files.
		cells[i] = cmp.Or(strings.ReplaceAll(e.fields[name], " ", "%20"), "-")
	}
	_, err := fmt.Fprintln(w.out, strings.Join(cells, " "))
	return err
}

// object writes an object of the fields, all of them for nil.
func (w *writer) object(l line, fields []string) error {
	if fields == nil {
		fields = names
	}
	// Members without a value are left out, as pywb does. Go writes a map's keys sorted, so that
	// answers can be compared.
	kept := line{}
	for _, name := range fields {
		if v := l[name]; v != "" {
			kept[name] = v
		}
	}
	data, err := json.Marshal(kept)
	if err == nil {
		_, err = w.out.Write(append(data, '\n'))
	}
	return err
}

// row writes an array of the fields, behind one of their names.
func (w *writer) row(l line, fields []string) error {
	row := make([]string, len(fields))
	start := ",\n"
	if w.n == 0 {
		// The Wayback Machine's JSON is one array, whose first row names the columns.
		start = "["
		for i, name := range fields {
			row[i] = cmp.Or(waybackNames[name], name)
		}
		data, err := json.Marshal(row)
		if err != nil {
			return err
		}
		start += string(data) + ",\n"
	}
	for i, name := range fields {
		row[i] = cmp.Or(l[name], "-")
	}
	data, err := json.Marshal(row)
	if err == nil {
		_, err = w.out.WriteString(start + string(data))
	}
	return err
}

func (w *writer) close() error {
	if w.c.json && w.c.wayback {
		end := "]\n"
		if w.n == 0 {
			// An empty answer is an array too, without the row of names.
			end = "[]\n"
		}
		if _, err := w.out.WriteString(end); err != nil {
			return err
		}
	}
	return w.out.Flush()
}
