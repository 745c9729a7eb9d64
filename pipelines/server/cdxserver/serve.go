package cdxserver

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
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
		err = c.answer(r.Context(), w, now)
		// Said while nothing was sent.
		if e := (*view.Error)(nil); errors.As(err, &e) {
			api.WriteError(w, err)
			return
		}
		if err != nil && r.Context().Err() == nil {
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

// columns of documents that lines are made of.
var columns = []string{
	"url", "surt", "timestamp", "mime_declared", "status", "digest", "length", "offset", "filename",
	"record_type", "sequence",
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
			e := entryOf(d, dir)
			if c.sort == "closest" && c.asked != "" {
				e.fit = view.Fit(c.asked, d.URL, d.Status)
			}
			// Fields are only made where somebody asks for them.
			if len(c.filters) > 0 && !passes(c.filters, e.fields()) {
				continue
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// answer writes the lines.
func (c *question) answer(ctx context.Context, w http.ResponseWriter, now *shelf.Snapshot) error {
	each := c.found(ctx, now)
	// What comes first in these is known only when all was seen; what is wrong with it is said before anything is sent.
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
	for e, err := range each {
		if err != nil {
			return err
		}
		// After sorting: neighbours are those of the answer. Before the limit, which counts the lines
		// that are written. What was sorted has been collapsed.
		if c.collapse.drops(e) {
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
		return w.row(e.fields(), fields)
	case w.c.json:
		return w.object(e.fields(), fields)
	case fields == nil:
		// The text ends its line itself.
		_, err := w.out.Write(e.text)
		return err
	}
	cells, values := make([]string, len(fields)), e.fields()
	for i, name := range fields {
		// Readers split lines and columns at white space, and an empty value is a hyphen, as in CDX files.
		cells[i] = cmp.Or(urlkey.Line(values[name]), "-")
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
