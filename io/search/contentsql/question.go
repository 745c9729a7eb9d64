package contentsql

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"modernc.org/sqlite"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// question is a statement that is being answered.
type question struct {
	ctx     context.Context //nolint:containedctx // SQLite's calls have none
	db      *contentdb.DB
	sources Sources  // nil for none
	plain   bool     // texts are compared bytewise: the statement names no collation
	failed  error    // first error of reading
	notes   []string // about the rows so far, each once
}

// questions are the current questions by number. A driver's modules and functions last as long as the process, so there
// is one driver, whose module finds a question by its number.
var (
	questions sync.Map
	lastNum   atomic.Int64
)

// number registers the question under a new number.
func (q *question) number() string {
	n := strconv.FormatInt(lastNum.Add(1), 10)
	questions.Store(n, q)
	return n
}

func questionOf(number string) *question {
	q, _ := questions.Load(number)
	found, _ := q.(*question)
	return found
}

// openDriver makes the driver.
var openDriver = sync.OnceValues(func() (*sqlite.Driver, error) {
	d := &sqlite.Driver{}
	if err := d.RegisterModule(moduleName, module{}); err != nil {
		return nil, err
	}
	if err := d.RegisterCollationUtf8(momentCollation, compareMoments); err != nil {
		return nil, err
	}
	return d, registerQuantiles(d)
})

// documents yields the documents that match where, with at least the given columns. A database of sources supplies
// source_id.
func (q *question) documents(
	ctx context.Context, where query.Expr, columns []string,
) iter.Seq2[*schemas.Document, error] {
	q.lack(q.db.Lacks(where))
	slices.Sort(columns)
	columns = slices.Compact(columns)
	if q.sources == nil || !slices.Contains(append(query.Columns(where), columns...), sourceField) {
		return q.db.Each(ctx, where, columns)
	}
	asked, rest := query.Split(where, func(e query.Expr) bool {
		c, is := e.(*query.Compare)
		return !is || c.Field != sourceField
	})
	columns = slices.Compact(slices.Sorted(slices.Values(slices.Concat(columns, query.Columns(rest), []string{"url"}))))
	test := query.Compile(rest)
	return func(yield func(*schemas.Document, error) bool) {
		for d, err := range q.db.Each(ctx, asked, columns) {
			if err == nil {
				d.SourceID, _, err = q.sources.SourceOf(ctx, d.URL)
			}
			if err == nil && !test(d) {
				continue
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// sourceField is the column that a database of sources supplies.
const sourceField = "source_id"

// lack notes reasons why nothing may be found.
func (q *question) lack(list []contentdb.Lack) {
	for _, l := range list {
		if l.Field != sourceField || q.sources == nil {
			q.note(l.String())
		}
	}
}

// note notes a sentence about the rows.
func (q *question) note(text string) {
	if !slices.Contains(q.notes, text) {
		q.notes = append(q.notes, text)
	}
}

// fail keeps the first error, which SQLite would lose, and returns err.
func (q *question) fail(err error) error {
	if err != nil && q.failed == nil {
		q.failed = err
	}
	return err
}
