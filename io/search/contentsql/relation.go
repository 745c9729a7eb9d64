package contentsql

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"

	"modernc.org/sqlite/vtab"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// relation is a table: its columns, and the source of its rows.
type relation struct {
	name    string
	columns []column
	filter  bool // accepts a filter of the query language
	// narrow returns what several comparisons together require of documents; nil if each comparison has its own field.
	narrow func(t *table, tests []test, values []vtab.Value) (query.Expr, error)
	// rows yields at least the rows that match where, with the given columns of documents, in any order.
	rows func(ctx context.Context, q *question, where query.Expr, columns []string) iter.Seq2[row, error]
}

// row is a row of a table.
type row struct {
	values reflect.Value     // a struct
	of     *schemas.Document // document that the row belongs to; may be nil
	number int               // within the document, or within the table
}

// key identifies the row in its table: no two captures begin at the same place.
func (r row) key() string {
	if r.of == nil {
		return strconv.Itoa(r.number)
	}
	return fmt.Sprintf("%s:%d:%d:%d", r.of.Filename, r.of.Offset, r.of.Sequence, r.number)
}

// relations are all tables except hosts and host_index, which are views.
var relations = slices.Concat(pageTables, dataTables(), []*relation{hostRanks()})

// pageTables are the tables other than those of structured data.
var pageTables = []*relation{
	{name: "documents", columns: documentColumns, filter: true, rows: documentRows},
	{name: "entities", columns: entityColumns(), filter: true, rows: entityRows},
	{name: "custom", columns: customColumns(), filter: true, narrow: narrowCustom, rows: customRows},
	{
		name: "links", columns: columnsOf(reflect.TypeFor[schemas.Link](), "timestamp"),
		rows: listed(func(ctx context.Context, q *question) iter.Seq2[schemas.Link, error] { return q.db.Links(ctx) }),
	},
	{
		name: "feeds", columns: columnsOf(reflect.TypeFor[schemas.FeedCapture](), "timestamp", "updated", "oldest",
			"newest"),
		rows: listed(func(ctx context.Context, q *question) iter.Seq2[schemas.FeedCapture,
			error] {
			return q.db.Feeds(ctx)
		}),
	},
	{
		name: "sources", columns: columnsOf(reflect.TypeFor[schemas.Source](), "first_seen", "last_refresh",
			"last_validation", "last_changed", "last_item"),
		rows: listed(sourcesOf),
	},
}

// hosts is the view with a row for each host. The results of functions need a collation, or they are plain texts.
const hosts = `create temp view hosts as select host, domain, count(*) as captures, count(distinct surt) as pages,
	sum(length) as bytes, min(timestamp) collate moment as first, max(timestamp) collate moment as last
	from documents where host is not null group by host`

// relationOf returns a relation by name, or nil.
func relationOf(name string) *relation {
	i := slices.IndexFunc(relations, func(r *relation) bool { return r.name == name })
	if i < 0 {
		return nil
	}
	return relations[i]
}

// documentRows yields the documents.
func documentRows(ctx context.Context, q *question, where query.Expr, columns []string) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		for d, err := range q.documents(ctx, where, columns) {
			if err != nil {
				yield(row{}, err)
				return
			}
			if !yield(row{values: reflect.ValueOf(d).Elem(), of: d}, nil) {
				return
			}
		}
	}
}

// entity is a row of entities: an entity in a capture, with fields of the capture. Tags are as in schemas.
type entity struct {
	URL       string `json:"url"`
	SURT      string `json:"surt,omitempty"`
	Host      string `json:"host,omitempty"`
	Domain    string `json:"domain,omitempty"`
	Timestamp string `json:"timestamp,omitempty"`
	Language  string `json:"language,omitempty"`
	Filename  string `json:"filename"`
	Offset    int64  `json:"offset"`
	Sequence  int    `json:"sequence,omitempty"`

	Type       string         `json:"type"`
	Text       string         `json:"text"`
	Count      int            `json:"count,omitempty"`
	Mentions   []schemas.Span `json:"mentions,omitempty"`
	Source     string         `json:"source"`
	ID         string         `json:"id,omitempty"`
	Confidence schemas.Float  `json:"confidence,omitempty"`
	Sentiment  *schemas.Float `json:"sentiment,omitempty"`
}

// entityColumns returns the columns of entity, each with its field of documents.
func entityColumns() []column {
	list := columnsOf(reflect.TypeFor[entity](), "timestamp")
	for i := range list {
		c := &list[i]
		c.field, c.reads = c.name, c.name
		if _, err := query.NewCompare("entities."+c.name, query.Has, "*"); err == nil {
			c.field, c.reads, c.listed = "entities."+c.name, "entities", true
			continue
		}
		j := slices.IndexFunc(documentColumns, func(d column) bool { return d.name == c.name })
		c.selective, c.zero = documentColumns[j].selective, documentColumns[j].zero
	}
	return list
}

// entityRows yields the entities of all documents.
func entityRows(ctx context.Context, q *question, where query.Expr, columns []string) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		q.lack(q.db.LacksOf("entities"))
		for d, err := range q.documents(ctx, where, append(columns, "entities")) {
			if err != nil {
				yield(row{}, err)
				return
			}
			for n, e := range d.Entities {
				x := &entity{
					d.URL, d.SURT, d.Host, d.Domain, d.Timestamp, d.Language, d.Filename, d.Offset, d.Sequence,
					e.Type, e.Text, e.Count, e.Mentions, e.Source, e.ID, e.Confidence,
					e.Sentiment,
				}
				if !yield(row{values: reflect.ValueOf(x).Elem(), of: d, number: n}, nil) {
					return
				}
			}
		}
	}
}

// listed returns the rows function of a list that is read whole.
func listed[T any](
	list func(context.Context, *question) iter.Seq2[T, error],
) func(context.Context, *question, query.Expr, []string) iter.Seq2[row, error] {
	return func(ctx context.Context, q *question, _ query.Expr, _ []string) iter.Seq2[row, error] {
		return func(yield func(row, error) bool) {
			n := 0
			for x, err := range list(ctx, q) {
				if errors.Is(err, contentdb.ErrNotThere) {
					err = fmt.Errorf("%w: %w", ErrStatement, err)
				}
				if err != nil {
					yield(row{}, err)
					return
				}
				if !yield(row{values: reflect.ValueOf(&x).Elem(), number: n}, nil) {
					return
				}
				n++
			}
		}
	}
}

// sourcesOf yields the sources of the question's database.
func sourcesOf(ctx context.Context, q *question) iter.Seq2[schemas.Source, error] {
	if q.sources == nil {
		return func(yield func(schemas.Source, error) bool) {
			yield(schemas.Source{}, fmt.Errorf("%w: sources are those of a database that `sources --sqlite` makes, which "+
				"--sources names", ErrStatement))
		}
	}
	return q.sources.All(ctx)
}
