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

// ErrNoSource is an id that no source has.
var ErrNoSource = errors.New("no such source")

// ErrCursor is a cursor that List did not give for the same question.
var ErrCursor = errors.New("the cursor is not one of this list")

// Index is a database that is open. It may be used by several goroutines.
type Index struct {
	db         *sql.DB
	generation string
	asOf       time.Time
}

// Open opens the database at path for the newest generation of the Source DB in f, and makes it when it is not there or
// of another generation. The error is fs.ErrNotExist where no run has finished.
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

// OpenFile opens a database that Write or Open has made, whatever has become of the Source DB since.
func OpenFile(ctx context.Context, path string) (*Index, error) {
	// SQLite would tell of a missing file at the first question only.
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
	x.asOf, _ = time.Parse(time.RFC3339, asOf) // the zero time, of a Source DB without sources
	if err := pin(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return x, nil
}

// SourceOf gives the id of the source that a page is of: of several the site's main one. ok is false for a page of
// none.
func (x *Index) SourceOf(ctx context.Context, url string) (id string, ok bool, err error) {
	err = x.db.QueryRowContext(ctx, "select id from page join source using (n) where link = ? order by class <> 'main', n",
		int64(source.LinkKey(url))).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return id, err == nil, err
}

// readers is how many questions are answered at a time.
const readers = 4

// pin opens all connections now: one that is opened later would have the file that is at the path by then, which
// may be another generation's.
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
		// Held until all are open: one that was given back would be given out again.
		held = append(held, c)
	}
	for _, c := range held {
		failed = errors.Join(failed, c.Close()) // it goes back to the pool
	}
	return failed
}

// Behind reports whether the Source DB has another generation by now: then Open opens that one.
func (x *Index) Behind(f folder.Folder) (bool, error) {
	m, err := sourcedb.ReadManifest(f)
	return err == nil && generation(m) != x.generation, err
}

// AsOf is the moment at which all of it holds.
func (x *Index) AsOf() time.Time { return x.asOf }

// Close closes the database.
func (x *Index) Close() error { return x.db.Close() }

// Filter takes the sources that have all that is named in it; "" and 0 take all.
type Filter struct {
	Verdict, Class, Language, Health, Publisher string
	Reason                                      string // the first one, which decided
	Site                                        string // registrable domain, or a host
	Text                                        string // in the title or the URL
	Due                                         time.Time
}

// where is the filter in SQL, with its values. All values are bound: none becomes a part of the text.
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
		// The characters of LIKE stand for themselves.
		like := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(f.Text) + "%"
		add(`(title like ? escape '\' or url like ? escape '\')`, like, like)
	}
	if !f.Due.IsZero() {
		// What is rejected or gone is never due: see the frontier.
		add("verdict <> 'rejected' and health <> 'gone' and next <= ?", f.Due.Unix())
	}
	if len(terms) == 0 {
		return "true", nil
	}
	return strings.Join(terms, " and "), values
}

// Order is a sequence of sources. Sources that are equal in it are ordered by their keys.
type Order string

// The orders. The zero Order is ByKey.
const (
	ByKey      Order = ""     // by host, turned round, then by path
	ByRate     Order = "rate" // those that publish most first
	ByNext     Order = "next" // those to be visited first
	ByLastItem Order = "last" // those that have published last first
)

// columns are what each order goes by, ascending. To SQLite a whole number would be the place of a column.
var columns = map[Order]string{ByKey: "0.0", ByRate: "-rate", ByNext: "next", ByLastItem: "-last_item"}

// Query is a question for a page of a list.
type Query struct {
	Filter
	Order Order
	After string // the Next of the page before; "" for the first page
	Limit int    // 50 by default, 1,000 at most
}

// Page is a page of a list.
type Page struct {
	Sources []schemas.Source
	Next    string // cursor of the next page; "" on the last one
	Total   int64  // sources that the filter takes
}

// List gives a page of the sources that a filter takes.
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
		// A cursor names a value and a row, so that a page is found by the order and not by counting rows from
		// the beginning.
		where += " and (" + column + ", n) > (?, ?)"
		values = append(values, value, n)
	}
	// One more than is wanted reports whether there is another page.
	// The wide rows are joined to those of the page alone.
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
		// value and n are still those of the last row of the page.
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

// cursor is where a page ended: the value that it is ordered by, and the row.
func cursor(value float64, n int64) string {
	// The shortest text that reads as the same number: a page must begin exactly after the one before.
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

// Item is a piece that a source has published.
type Item struct {
	URL   string              `json:"url"`
	Title string              `json:"title,omitempty"`
	Time  string              `json:"time"`           // published, or first seen
	Page  *schemas.SourcePage `json:"page,omitempty"` // its capture, where it has one under its own URL
}

// Detail is a source with its items.
type Detail struct {
	schemas.Source
	Items []Item      // the newest, source.MaxEntries at most
	Dates []time.Time // of all items that are known, ascending, source.MaxItems at most
}

// Get gives the source with an id, or the one that stands for the feed with that id; the error is ErrNoSource if there
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
		defer func() { _ = rows.Close() }() // Err tells what ended them
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
