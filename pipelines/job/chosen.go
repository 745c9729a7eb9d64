package job

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Why nothing is made of a capture, as Counts.ByFilter has it.
// They are keys of counts in manifests, so that renaming one changes what users read.
const (
	leftByWhere  = "where"
	leftBySample = "sample"
	leftByLimit  = "limit"
)

// chosen tells which captures something is made of. It may be used by several goroutines at the same time.
type chosen struct {
	sample int64 // parts in a million of the pages; 0 for all
	// The parts of --where that a capture tells, and those that only its document does; nil for none. A compiled filter is
	// for one goroutine, so they are pooled.
	capture, document *sync.Pool
}

// match is a compiled filter.
type match = func(*schemas.Document) bool

// The filter was checked by the request; workers parse it again, as it travels as text.
func newChosen(o Options) (*chosen, error) {
	where, err := query.Parse(o.Where)
	if err != nil {
		return nil, err
	}
	// What a capture tells is asked first: what that refuses is not enriched.
	early, late := query.Split(where, allOfCapture)
	return &chosen{capture: pooled(early), document: pooled(late), sample: o.Sample}, nil
}

// pooled makes filters as they are needed, one for each goroutine at a time.
func pooled(e query.Expr) *sync.Pool {
	if e == nil {
		return nil
	}
	return &sync.Pool{New: func() any { return query.Compile(e) }}
}

// allOfCapture reports whether captures tell all that e asks for.
// A part of the filter is asked early only if it needs nothing of the document.
func allOfCapture(e query.Expr) bool {
	for _, column := range query.Columns(e) {
		if !enrich.OfCapture(column) {
			return false
		}
	}
	return true
}

// before tells why a capture is left out before anything is extracted from it; empty when it is not.
// The sample is asked first, since a hash costs less than a filter.
func (c *chosen) before(of *schemas.Capture) string {
	if c.sample > 0 && !query.InSample(urlkey.SURT(of.URL), c.sample) {
		return leftBySample
	}
	if c.capture != nil && !matches(c.capture, enrich.Base(of)) {
		return leftByWhere
	}
	return ""
}

// after tells why a document is left out; empty when it is not.
// It may use all that was extracted.
func (c *chosen) behind(d *schemas.Document) string {
	if c.document != nil && !matches(c.document, d) {
		return leftByWhere
	}
	return ""
}

// matches takes a filter from the pool for one question.
func matches(p *sync.Pool, d *schemas.Document) bool {
	f := p.Get().(match)
	defer p.Put(f)
	return f(d)
}

// checkChosen finds what --where asks for and nothing tells.
// A filter for what nothing extracts would match nothing, and nobody would know why.
func (c *Request) checkChosen() error {
	o := &c.Options
	where, err := query.Parse(o.Where)
	if err != nil {
		return cli.Usagef("--where: %v", err)
	}
	if _, err := query.Bind(where, enrich.TypesOf(o.Extract)); err != nil {
		return cli.Usagef("--where: %v", err)
	}
	for _, column := range query.Columns(where) {
		if why := o.missing(column, where); why != "" {
			return cli.Usagef("--where asks for %s, %s", column, why)
		}
	}
	if o.Limit < 0 {
		return cli.Usagef("--limit must not be negative")
	}
	// With these, what is in the folder decides what is read, and so how far the limit reaches.
	if o.Limit > 0 && (c.Keep.Add || c.Schedule.OnlyNew || c.Schedule.Stale || c.Schedule.Since != "") {
		return cli.Usagef("--limit is for a first look at archives: what it leaves of them depends on all of the " +
			"command, so it does not go with --add, --only_new, --stale and --since")
	}
	return nil
}

// missing says why documents do not have a column that a filter asks for; empty when they do.
// Columns are those of documents; some of them follow from the capture alone.
func (o *Options) missing(column string, where query.Expr) string {
	maker := enrich.MakerOf(column)
	switch {
	case o.indexOnly() && (column == "flags" || column == "damaged" || column == "truncated" || column == "body_bytes"):
		return "which is known when bodies are read, and --format=cdxj reads heads alone"
	case enrich.OfCapture(column):
		return ""
	case o.indexOnly():
		return "and --format=cdxj makes no documents: an index can be chosen by what captures tell, as url, host, status, " +
			"mime_declared and timestamp"
	case query.IsCustom(column):
		return o.missingField(where)
	case column == "redirect_url" || column == "errors":
		return ""
	case maker == "":
		return "which ingest does not make"
	case !slices.Contains(o.Extract, maker):
		return "which is not extracted: add " + maker + " to --extract"
	}
	return ""
}

// missingField says why documents do not have a custom field that a filter asks for.
// Fields have names of the user's own, so that one may be missing while others are there.
func (o *Options) missingField(where query.Expr) string {
	fields := o.fields()
	for _, path := range query.Paths(where) {
		name, ok := strings.CutPrefix(path, "custom.")
		_, there := fields[name]
		if ok && !there && !slices.Contains(o.Extract, enrich.OwnerOf(name)) {
			return fmt.Sprintf("and no --select makes the field %q, and no extractor that is asked for", name)
		}
	}
	if len(fields) == 0 && !slices.ContainsFunc(o.Extract, enrich.IsOwn) {
		return "and there is no --select"
	}
	return ""
}

// Lacks says why no document of a collection has a column, as missing does for one that is to be made; empty if some
// have it, or if the collection does not say how it was made. where is the filter that names the column; nil for none.
func Lacks(m schemas.Manifest, column string, where query.Expr) (string, error) {
	all := []map[string]any{}
	for _, u := range m.Units {
		if u.MadeWith != nil {
			all = append(all, u.MadeWith)
		}
	}
	// Those of the manifest are of all other units.
	if len(all) < len(m.Units) || len(m.Units) == 0 {
		all = append(all, m.Options)
	}
	why := ""
	for _, made := range all {
		if made["extract"] == nil {
			return "", nil
		}
		s, err := standingOf(made)
		if err != nil {
			return "", err
		}
		if why = s.made().lacks(column, where); why == "" {
			return "", nil
		}
	}
	return why, nil
}

// lacks is missing for documents that were made, of which columns may have been left out.
func (o *Options) lacks(column string, where query.Expr) string {
	switch {
	case column == "text" && o.Text == TextNone:
		return "which --text=none left out"
	case column == "comments" && commentMode(o.Comments) != maintext.SeparateComments.String():
		return "which --comments=" + o.Comments + " left out"
	case slices.Contains(o.Without, column):
		return "which --without left out"
	case enrich.MakerOf(column) == "" && column != "custom":
		return "" // of --sources, say
	}
	return o.missing(column, where)
}
