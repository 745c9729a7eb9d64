package job

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Why nothing is made of a capture, as Counts.ByFilter has it.
const (
	leftByWhere  = "where"
	leftBySample = "sample"
	leftByLimit  = "limit"
)

// chosen tells which captures something is made of. It may be used by several goroutines at the same time.
type chosen struct {
	below  uint64 // the hashes of the pages that are in the sample are less, or equal
	sample bool
	// The parts of --where that a capture tells, and those that only its document does; nil for none. A compiled filter is
	// for one goroutine, so they are pooled.
	capture, document *sync.Pool
}

type match = func(*schemas.Document) bool

func newChosen(o Options) (*chosen, error) {
	where, err := query.Parse(o.Where)
	if err != nil {
		return nil, err
	}
	early, late := query.Split(where, allOfCapture)
	c := &chosen{capture: pooled(early), document: pooled(late), sample: o.Sample > 0}
	c.below = uint64(float64(o.Sample) / million * math.MaxUint64)
	return c, nil
}

func pooled(e query.Expr) *sync.Pool {
	if e == nil {
		return nil
	}
	return &sync.Pool{New: func() any { return query.Compile(e) }}
}

// allOfCapture tells whether captures tell all that e asks for.
func allOfCapture(e query.Expr) bool {
	for _, column := range query.Columns(e) {
		if !enrich.OfCapture(column) {
			return false
		}
	}
	return true
}

// before tells why a capture is left out before anything is extracted from it; empty when it is not.
func (c *chosen) before(of *schemas.Capture) string {
	if c.sample && xxhash.Sum64String(urlkey.SURT(of.URL)) > c.below {
		return leftBySample
	}
	if c.capture != nil && !matches(c.capture, enrich.Base(of)) {
		return leftByWhere
	}
	return ""
}

// behind tells why a document is left out; empty when it is not.
func (c *chosen) behind(d *schemas.Document) string {
	if c.document != nil && !matches(c.document, d) {
		return leftByWhere
	}
	return ""
}

func matches(p *sync.Pool, d *schemas.Document) bool {
	f := p.Get().(match)
	defer p.Put(f)
	return f(d)
}

// leave counts a capture that is left out.
func (u *unitRun) leave(c *schemas.Capture, why string) {
	schemas.Count(&u.counts.ByFilter, why, 1)
	u.show(c)
}

// room tells whether the unit may make something of a capture more, and counts it.
func (u *unitRun) room() bool {
	if u.take != nil && u.made == *u.take {
		return false
	}
	u.made++
	return true
}

// million is what Options.Sample counts in: shares of a page in ten thousand are whole numbers.
const million = 1_000_000

// ParseSample reads a share of all pages, "1%" or "0.01", as parts in a million; 0 for all.
func ParseSample(s string) (parts int64, err error) {
	number, percent := strings.CutSuffix(s, "%")
	share, err := strconv.ParseFloat(number, 64)
	if percent {
		share /= 100
	}
	parts = int64(math.Round(share * million))
	if err != nil || !(share > 0 && share <= 1) || parts == 0 {
		return 0, fmt.Errorf("%q is not a share of all pages, from 0.0001%% to 100%%, as in 1%%", s)
	}
	if parts == million {
		return 0, nil
	}
	return parts, nil
}

// showSample writes a share as ParseSample reads it.
func showSample(parts int64) string {
	if parts == 0 {
		return "100%"
	}
	return strconv.FormatFloat(float64(parts)/(million/100), 'f', -1, 64) + "%"
}

// checkChosen finds what --where asks for and nothing tells.
func (c *Request) checkChosen() error {
	o := &c.Options
	where, err := query.Parse(o.Where)
	if err != nil {
		return cli.Usagef("--where: %v", err)
	}
	for _, column := range query.Columns(where) {
		if why := o.missing(column, where); why != "" {
			return cli.Usagef("--where asks for %s, %s", column, why)
		}
	}
	if o.Limit < 0 {
		return cli.Usagef("--limit must be positive")
	}
	if o.Limit > 0 && (c.Keep.Add || c.Schedule.OnlyNew || c.Schedule.Stale || c.Schedule.Since != "") {
		return cli.Usagef("--limit is for a first look at archives: what it leaves of them depends on all of the " +
			"command, so it does not go with --add, --only_new, --stale and --since")
	}
	return nil
}

// missing says why documents do not have a column that a filter asks for; empty when they do.
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
	case column == "custom":
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
func (o *Options) missingField(where query.Expr) string {
	fields := o.fields()
	for _, path := range query.Paths(where) {
		name, ok := strings.CutPrefix(path, "custom.")
		if _, there := fields[name]; ok && !there {
			return fmt.Sprintf("and no --select makes the field %q", name)
		}
	}
	if len(fields) == 0 {
		return "and there is no --select"
	}
	return ""
}
