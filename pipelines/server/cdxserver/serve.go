package cdxserver

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// New returns a handler for the collections of views. Parameter collection names one; the default is the first.
// Indexes are clusters that it names as well.
func New(v *view.Views, indexes map[string]*Cluster) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		values := r.URL.Query()
		if x := indexes[values.Get("collection")]; x != nil {
			serveCluster(w, r, x)
			return
		}
		now, release, err := v.Open(r.Context(), values.Get("collection"))
		if err != nil {
			api.WriteError(w, err)
			return
		}
		// The snapshot's files stay open until the answer is written, even if a run replaces them meanwhile.
		defer release()
		// Only the path determines the dialect. Other paths than /cdx/search… use pywb's.
		c, err := parse(values, strings.HasPrefix(r.URL.Path, "/cdx/search"))
		if err != nil {
			api.WriteError(w, err)
			return
		}
		if c.count {
			err = c.pages(r.Context(), w, now)
		} else {
			err = c.answer(w, c.found(r.Context(), now))
		}
		finish(w, r, err)
	})
}

// columns are the columns of documents needed for lines.
var columns = []string{
	"url", "surt", "timestamp", "mime_declared", "status", "digest", "length", "offset", "filename",
	"record_type", "sequence",
}

// found yields the lines of the answer, in the order of SURTs and times.
func (c *question) found(ctx context.Context, now *shelf.Snapshot) iter.Seq2[entry, error] {
	// Names are relative to the common folder of all archives. pywb looks them up in its own folder, and folders of
	// this machine are private.
	dir := holdings.ArchiveDir(now.Whole().Manifest.Units)
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
			if skip, ended := c.reach(e); ended {
				return
			} else if skip {
				continue
			}
			if c.sort == "closest" && c.asked != "" {
				e.fit = urlkey.Fit(c.asked, d.URL, d.Status)
			}
			// Fields are made only if they are needed.
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
func (c *question) answer(w http.ResponseWriter, each iter.Seq2[entry, error]) error {
	// In these orders the first line is known only after all lines, so errors can be reported before anything is sent.
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
	if c.cut {
		w.Header().Set("Gleaner-Truncated", strconv.Itoa(maxSorted))
	}
	// Lines are written as they are found: an answer is never in memory as a whole, unless it has to be sorted.
	out := &writer{c: c, out: bufio.NewWriter(w)}
	key, err := c.write(out, each)
	if err != nil {
		return err
	}
	if c.page > 0 && !c.reached {
		return c.noPage() // nothing was sent
	}
	return out.close(key)
}

// write writes the lines of the answer. Result key leads to the lines that the limit left out, if there are any and a
// key was requested.
func (c *question) write(out *writer, each iter.Seq2[entry, error]) (key string, err error) {
	n := 0
	for e, err := range each {
		if err != nil {
			return "", err
		}
		// This is after sorting, since adjacent lines are those of the answer. It is before the limit, which counts
		// written lines. Sorted lines have been collapsed already.
		if c.collapse.drops(e) {
			continue
		}
		if n++; n <= c.offset {
			continue
		}
		if c.limit > 0 && n > c.offset+c.limit {
			return c.before.String(), nil
		}
		if err := out.write(e); err != nil {
			return "", err
		}
		// The iterator ends with the loop, and so does the query: no unneeded line is read.
		if n == c.offset+c.limit && c.limit > 0 && !c.keys {
			break
		}
	}
	return "", nil
}

// writer writes lines in the requested form.
type writer struct {
	c   *question
	out *bufio.Writer
	n   int
}

// waybackFields are the default fields of the Wayback Machine.
var waybackFields = []string{"urlkey", "timestamp", "url", "mime", "status", "digest", "length"}

// waybackNames are its different names.
var waybackNames = map[string]string{"url": "original", "mime": "mimetype", "status": "statuscode"}

func (w *writer) write(e entry) error {
	// row needs to know whether a line was written before it; the deferred function counts on each return.
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

// object writes an object with the fields, or all fields for nil.
func (w *writer) object(l line, fields []string) error {
	if fields == nil {
		fields = names
	}
	// Members without a value are left out, as in pywb. Go writes a map's keys sorted, so answers can be compared.
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

// row writes an array of the fields. Before the first it writes one of their names.
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

// close ends the answer, with the key of the next one if there is one. The Wayback Machine has it after an empty line
// or row; in lines of JSON it is an object.
func (w *writer) close(key string) error {
	end := ""
	switch {
	case w.c.json && w.c.wayback && w.n == 0:
		end = "[]\n" // without the row of names
	case w.c.json && w.c.wayback && key != "":
		end = ",\n[],\n[\"" + key + "\"]]\n"
	case w.c.json && w.c.wayback:
		end = "]\n"
	case w.c.json && key != "":
		end = `{"resumeKey": "` + key + "\"}\n"
	case key != "":
		end = "\n" + key + "\n"
	}
	if _, err := w.out.WriteString(end); err != nil {
		return err
	}
	return w.out.Flush()
}
