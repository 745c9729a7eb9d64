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
		// Held for the whole answer: a run that ends meanwhile changes nothing in it.
		now, release, err := v.Open(r.Context(), values.Get("collection"))
		if err != nil {
			api.WriteError(w, err)
			return
		}
		defer release()
		// pywb asks this first; there is always one page.
		if values.Get("showNumPages") == "true" {
			pages(w, values.Get("output") == "json")
			return
		}
		// The path tells the dialect.
		c, err := parse(values, strings.HasPrefix(r.URL.Path, "/cdx/search"))
		if err != nil {
			api.WriteError(w, err)
			return
		}
		// A client that has gone is no failure.
		if err := c.answer(r.Context(), w, now); err != nil && r.Context().Err() == nil {
			slog.Warn("a CDX answer ended early", "error", err)
			panic(http.ErrAbortHandler) // nobody is to take the part for the whole
		}
	})
}

// pages says how many pages answers have.
func pages(w http.ResponseWriter, asJSON bool) {
	// One block on one page: there is no paging here.
	if asJSON {
		w.Header().Set("Content-Type", "application/json")
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
	// No text: lines are read by the hundred thousand.
	"url", "surt", "timestamp", "mime_declared", "status", "digest", "length", "offset", "filename", "record_type",
	"sequence",
}

// lineOf is the line of a capture, as ingest writes it into indexes, with its text.
func lineOf(d *schemas.Document, dir string) (line, []byte) {
	// The zero time for captures without a date: their lines sort first.
	t, _ := query.ParseTime(d.Timestamp)
	l := cdx.Line{
		SURT: d.SURT, Timestamp: t, URL: d.URL, MIME: d.MIMEDeclared, Status: d.Status, Digest: d.Digest, Length: d.Length,
		// Names as CDX files have them: relative to the folder of all archives, so that a replay tool
		// finds them wherever they are.
		Offset: d.Offset, Filename: strings.TrimPrefix(d.Filename, dir),
	}
	// The media type by which replay tools know a revisit.
	if d.RecordType == schemas.TypeRevisit {
		l.MIME = cdx.MIMERevisit
	}
	text := l.AppendTo(nil)
	fields := line{"urlkey": d.SURT, "timestamp": t.UTC().Format("20060102150405")}
	// The fields are those of the line's own JSON, so that both forms say the same.
	if at := strings.IndexByte(string(text), '{'); at >= 0 {
		_ = json.Unmarshal(text[at:], &fields) // it was written a moment ago
	}
	return fields, text
}

// found are the lines that answer, in the order of SURTs and times.
func (c *question) found(ctx context.Context, now *shelf.Snapshot) iter.Seq2[entry, error] {
	dir := collection.ArchiveDir(now.Manifest.Units)
	return func(yield func(entry, error) bool) {
		for d, err := range now.DB.Find(ctx, c.q, columns) {
			if err != nil {
				yield(entry{}, err)
				return
			}
			// A CDX is sorted by SURT, and a replay tool asks by it.
			if d.SURT == "" {
				continue // nothing can look it up
			}
			e := entry{}
			e.fields, e.text = lineOf(d, dir)
			if t, ok := query.ParseTime(d.Timestamp); ok {
				e.time = t
			}
			// Filters are tested here and not by the index: regular expressions are not in its
			// language.
			if passes(c.filters, e.fields) && !yield(e, nil) {
				return
			}
		}
	}
}

// entry is a line that answers.
type entry struct {
	// Kept beside the fields, as most requests want the line as it is.
	fields line
	text   []byte // as CDXJ, with its line end
	time   time.Time
}

// answer writes the lines.
func (c *question) answer(ctx context.Context, w http.ResponseWriter, now *shelf.Snapshot) error {
	media := "text/plain; charset=utf-8"
	switch {
	// The Wayback Machine gives one array, pywb an object a line.
	case c.json && c.wayback:
		media = "application/json"
	case c.json:
		media = "application/x-ndjson"
	}
	w.Header().Set("Content-Type", media)
	// Buffered, as lines are short.
	out := &writer{c: c, out: bufio.NewWriter(w)}
	n := 0
	each := c.found(ctx, now)
	// Only these need all lines before the first.
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
		// Before the limit: what is dropped does not count.
		if c.collapse.drops(e.fields) {
			continue
		}
		if err := out.write(e); err != nil {
			return err
		}
		// Breaking off here also ends the reading.
		if n++; n == c.limit {
			break
		}
	}
	// Also after the limit: the array has to be closed.
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
		// Cut at twice the bound, so that the cost of moving stays small for each line.
		if len(list) >= 2*maxSorted {
			list = append(list[:0], list[len(list)-maxSorted:]...)
		}
	}
	switch {
	// The order of SURTs backwards.
	case c.sort == "reverse":
		slices.Reverse(list)
	case c.sort == "closest":
		// Stable: of two that are equally near the earlier line comes first.
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
	// Lines written so far, by which the first of an array is known.
	n int
}

// waybackFields are those of the Wayback Machine's lines, where none are asked for.
var waybackFields = []string{"urlkey", "timestamp", "url", "mime", "status", "digest", "length"}

// waybackNames are its words for some.
var waybackNames = map[string]string{"url": "original", "mime": "mimetype", "status": "statuscode"}

func (w *writer) write(e entry) error {
	// Deferred, as every form returns on its own.
	defer func() { w.n++ }()
	// nil means all that the form has.
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
		_, err := w.out.Write(e.text)
		return err
	}
	cells := make([]string, len(fields))
	for i, name := range fields {
		// A blank would be another column; a field without a value is a dash, as in CDX files.
		cells[i] = cmp.Or(strings.ReplaceAll(e.fields[name], " ", "%20"), "-")
	}
	_, err := fmt.Fprintln(w.out, strings.Join(cells, " "))
	return err
}

// object writes an object of the fields, all of them for nil.
func (w *writer) object(l line, fields []string) error {
	// In an object the order of fields does not matter.
	if fields == nil {
		fields = names
	}
	kept := line{}
	for _, name := range fields {
		// What is not known is left out.
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
	// A line end before each row but the first, so that the last has no comma.
	start := ",\n"
	// The names go before the first row, under the Wayback Machine's own words.
	if w.n == 0 {
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
	// Rows have a fixed width: what is not known is a dash.
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
		// Without any line there are no names either.
		if w.n == 0 {
			end = "[]\n"
		}
		if _, err := w.out.WriteString(end); err != nil {
			return err
		}
	}
	return w.out.Flush()
}
