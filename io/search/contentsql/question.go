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
	sources Sources // nil for none
	plain   bool    // texts are compared byte by byte: the statement names no collation
	failed  error   // the first error of reading
}

// questions are those that are being answered, by number: what modules and functions a driver knows lasts as long as
// the process, so that there is one driver, and its module finds the question by the number.
var (
	questions sync.Map
	lastNum   atomic.Int64
)

// number gives the question a number, by which questionOf finds it until it is forgotten.
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

// documents are those that where takes, with the columns at least. With a database of sources, source_id is by it.
func (q *question) documents(
	ctx context.Context, where query.Expr, columns []string,
) iter.Seq2[*schemas.Document, error] {
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

// sourceField is the column that a database of sources has the values of.
const sourceField = "source_id"

// fail keeps the first error, which SQLite would lose, and returns it.
func (q *question) fail(err error) error {
	if err != nil && q.failed == nil {
		q.failed = err
	}
	return err
}
