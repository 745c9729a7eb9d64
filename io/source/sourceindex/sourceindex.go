package sourceindex

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// ErrNoSource means that no source has the ID.
var ErrNoSource = errors.New("no such source")

// ErrCursor means that the cursor is not from this list.
var ErrCursor = errors.New("the cursor is not one of this list")

// Index is an open database. Several goroutines may use it.
type Index struct {
	db         *sql.DB
	generation string
	asOf       time.Time
}

// Open opens the database at path for the newest generation of the Source DB in f. It makes the database if it is
// missing or of another generation. The error is fs.ErrNotExist if no run has finished.
func Open(ctx context.Context, f folder.Folder, path string) (*Index, error) {
	m, err := sourcedb.ReadManifest(f)
	if err != nil {
		return nil, err
	}
	ok, err := isOf(ctx, path, generation(m))
	if err == nil && !ok {
		err = Write(ctx, f, m, path)
	}
	if err != nil {
		return nil, err
	}
	return OpenFile(ctx, path)
}

// OpenFile opens a database by Write or Open, even if the Source DB has changed.
func OpenFile(ctx context.Context, path string) (*Index, error) {
	// SQLite would only report a missing file at the first query.
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	db, err := openReading(path)
	if err != nil {
		return nil, err
	}
	x := &Index{db: db}
	var asOf string
	if err := db.QueryRowContext(ctx, "select generation, as_of from about").Scan(&x.generation, &asOf); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: not a database of sources: %w", path, err), db.Close())
	}
	x.asOf, _ = time.Parse(time.RFC3339, asOf) // the zero time if the Source DB has no sources
	if err := pin(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return x, nil
}

// SourceOf returns the ID of the source to which a page belongs, preferably the site's main one. ok is false if there
// is none.
func (x *Index) SourceOf(ctx context.Context, url string) (id string, ok bool, err error) {
	err = x.db.QueryRowContext(ctx, "select id from page join source using (n) where link = ? order by class <> 'main', n",
		int64(source.LinkKey(url))).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return id, err == nil, err
}

// readers is how many queries run at a time.
const readers = 4

// pin opens all connections now: a later one would open the file that is then at the path, maybe of another generation.
func pin(ctx context.Context, db *sql.DB) error {
	db.SetMaxOpenConns(readers)
	db.SetMaxIdleConns(readers)
	var held []*sql.Conn
	var failed error
	for range readers {
		c, err := db.Conn(ctx)
		if err != nil {
			failed = err
			break
		}
		// Held until all are open, because the pool would reuse a released one.
		held = append(held, c)
	}
	for _, c := range held {
		failed = errors.Join(failed, c.Close()) // returns it to the pool
	}
	return failed
}

// Outdated reports whether the Source DB has a newer generation, which Open would open.
func (x *Index) Outdated(f folder.Folder) (bool, error) {
	m, err := sourcedb.ReadManifest(f)
	return err == nil && generation(m) != x.generation, err
}

// AsOf returns the time of the descriptions.
func (x *Index) AsOf() time.Time { return x.asOf }

// Close closes the database.
func (x *Index) Close() error { return x.db.Close() }

// Filter selects the sources that match all its fields; "" and 0 match all.
type Filter struct {
	Verdict, Class, Language, Health, Publisher string
	Reason                                      string // the first one, which decided
	Site                                        string // registrable domain, or host
	Text                                        string // in the title or the URL, whatever its case
	Due                                         time.Time
}

// where returns the filter in SQL, with its values. All values are bound parameters.
func (f Filter) where() (text string, values []any) {
	var terms []string
	add := func(term string, v ...any) { terms, values = append(terms, term), append(values, v...) }
	for _, c := range []struct{ column, value string }{
		{"verdict", f.Verdict},
		{"class", f.Class},
		{"language", f.Language},
		{"health", f.Health},
		{"publisher", f.Publisher},
		{"reason", f.Reason},
	} {
		if c.value != "" {
			add(c.column+" = ?", c.value)
		}
	}
	if f.Site != "" {
		add("(site = ? or host = ?)", f.Site, f.Site)
	}
	if f.Text != "" {
		// LIKE only ignores the case of ASCII.
		add("instr(folded, ?) > 0", fold(f.Text))
	}
	if !f.Due.IsZero() {
		// Rejected and gone sources are never due: see the frontier.
		add("verdict <> 'rejected' and health <> 'gone' and next <= ?", f.Due.Unix())
	}
	if len(terms) == 0 {
		return "true", nil
	}
	return strings.Join(terms, " and "), values
}

// Order is an order of sources; equal ones are sorted by key.
type Order string

// The orders. The zero Order is ByKey.
const (
	ByKey      Order = ""     // by reversed host, then by path
	ByRate     Order = "rate" // most frequent publishers first
	ByNext     Order = "next" // earliest next visit first
	ByLastItem Order = "last" // latest publication first
)

// columns are the sort expressions of the orders, ascending. To SQLite, an integer would be the number of a column.
var columns = map[Order]string{ByKey: "0.0", ByRate: "-rate", ByNext: "next", ByLastItem: "-last_item"}

// Query asks for a page of a list.
type Query struct {
	Filter
	Order Order
	After string // Next of the page before; "" for the first page
	Limit int    // 50 by default, at most 1,000
}

// Page is a page of a list.
type Page struct {
	Sources []schemas.Source
	Next    string // cursor of the next page; "" on the last one
	Total   int64  // sources that match the filter
}

// List returns a page of the sources that match a filter.
func (x *Index) List(ctx context.Context, q Query) (p Page, err error) {
	column, ok := columns[q.Order]
	if !ok {
		return Page{}, fmt.Errorf("%q is not an order: rate, next or last", q.Order)
	}
	limit := min(q.Limit, 1000)
	if limit <= 0 {
		limit = 50
	}
	where, values := q.where()
	count := x.db.QueryRowContext(ctx, "select count(*) from source where "+where, values...)
	if err := count.Scan(&p.Total); err != nil {
		return Page{}, err
	}
	if q.After != "" {
		value, n, err := readCursor(q.After)
		if err != nil {
			return Page{}, err
		}
		// The cursor has a value and a row, so that the page is found without counting.
		where += " and (" + column + ", n) > (?, ?)"
		values = append(values, value, n)
	}
	// One more row shows whether there is another page. Wide rows are only joined for the page.
	rows, err := x.db.QueryContext(ctx, "select "+column+", n, row from (select * from source where "+where+
		" order by "+column+", n limit ?) join detail using (n) order by 1, 2", append(values, limit+1)...)
	if err != nil {
		return Page{}, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	p.Sources = []schemas.Source{}
	var value float64
	var n int64
	for rows.Next() {
		// value and n are of the page's last row.
		if len(p.Sources) == limit {
			p.Next = cursor(value, n)
			break
		}
		var row string
		var s schemas.Source
		if err := errors.Join(rows.Scan(&value, &n, &row), json.Unmarshal([]byte(row), &s)); err != nil {
			return Page{}, err
		}
		p.Sources = append(p.Sources, s)
	}
	return p, rows.Err()
}

// cursor encodes where a page ended: its sort value and row.
func cursor(value float64, n int64) string {
	// The shortest text that parses to the same number, so that pages follow exactly.
	return strconv.FormatFloat(value, 'g', -1, 64) + "_" + strconv.FormatInt(n, 10)
}

func readCursor(s string) (value float64, n int64, err error) {
	before, after, ok := strings.Cut(s, "_")
	value, badValue := strconv.ParseFloat(before, 64)
	n, badRow := strconv.ParseInt(after, 10, 64)
	if !ok || badValue != nil || badRow != nil {
		return 0, 0, fmt.Errorf("%w: %q", ErrCursor, s)
	}
	return value, n, nil
}

// Item is an item that a source has published.
type Item struct {
	URL   string              `json:"url"`
	Title string              `json:"title,omitempty"`
	Time  string              `json:"time"`           // published, or first seen
	Seen  bool                `json:"seen,omitempty"` // Time is when it was first seen: the feed has no date of it
	Page  *schemas.SourcePage `json:"page,omitempty"` // capture under the item's own URL, if any
}

// Detail is a source with its items.
type Detail struct {
	schemas.Source
	Items []Item      // the newest, at most source.MaxEntries
	Dates []time.Time // of all known items, ascending, at most source.MaxItems
}

// Get returns the source with an ID, or the representative of the feed with that ID. The error is ErrNoSource if there
// is none.
func (x *Index) Get(ctx context.Context, id string) (d Detail, err error) {
	var row, items string
	var dates []byte
	err = x.db.QueryRowContext(ctx,
		"select row, detail.items, dates from source join detail using (n) "+
			"where id = coalesce((select source from alias where alias.id = ?1), ?1)", id).Scan(&row, &items, &dates)
	if errors.Is(err, sql.ErrNoRows) {
		return Detail{}, fmt.Errorf("%w: %q", ErrNoSource, id)
	}
	if err == nil {
		err = errors.Join(json.Unmarshal([]byte(row), &d.Source), json.Unmarshal([]byte(items), &d.Items))
	}
	d.Dates = unpack(dates)
	return d, err
}

// All yields all sources. It ends after an error.
func (x *Index) All(ctx context.Context) iter.Seq2[schemas.Source, error] {
	return func(yield func(schemas.Source, error) bool) {
		rows, err := x.db.QueryContext(ctx, "select row from detail order by n")
		if err != nil {
			yield(schemas.Source{}, err)
			return
		}
		defer func() { _ = rows.Close() }() // Err returns the cause
		for rows.Next() {
			var text string
			var s schemas.Source
			if err = rows.Scan(&text); err == nil {
				err = json.Unmarshal([]byte(text), &s)
			}
			if !yield(s, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(schemas.Source{}, err)
		}
	}
}
