package contentsql

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pagedata"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// dataTables are the table of all structured data, and one for each of its views.
func dataTables() []*relation {
	list := []*relation{{
		name: "data", columns: columnsOf(reflect.TypeFor[schemas.Datum](), "timestamp"),
		rows: listed(func(ctx context.Context, q *question) iter.Seq2[schemas.Datum, error] { return q.db.Data(ctx) }),
	}}
	views := pagedata.Views()
	for i := range views {
		list = append(list, viewTable(&views[i]))
	}
	return list
}

// viewPlace are the first columns of each view: the page, and the item on it.
var viewPlace = []reflect.StructField{
	{Name: "URL", Type: reflect.TypeFor[string](), Tag: `json:"url"`},
	{Name: "SURT", Type: reflect.TypeFor[string](), Tag: `json:"surt,omitempty"`},
	{Name: "Host", Type: reflect.TypeFor[string](), Tag: `json:"host,omitempty"`},
	{Name: "Domain", Type: reflect.TypeFor[string](), Tag: `json:"domain,omitempty"`},
	{Name: "Timestamp", Type: reflect.TypeFor[string](), Tag: `json:"timestamp,omitempty"`},
	{Name: "Syntax", Type: reflect.TypeFor[string](), Tag: `json:"syntax"`},
	{Name: "Type", Type: reflect.TypeFor[string](), Tag: `json:"type,omitempty"`},
	{Name: "ID", Type: reflect.TypeFor[string](), Tag: `json:"id,omitempty"`},
	{Name: "Item", Type: reflect.TypeFor[int](), Tag: `json:"item"`},
}

// viewTable makes the table of a view. Its rows are structs of a type made for it, as the columns of tables need.
func viewTable(v *pagedata.View) *relation {
	fields := viewPlace[:len(viewPlace):len(viewPlace)]
	for i, c := range v.Columns {
		f := reflect.StructField{
			Name: fmt.Sprintf("Column%d", i), Type: reflect.TypeFor[string](),
			Tag: reflect.StructTag(fmt.Sprintf(`json:"%s,omitempty"`, c.Name)),
		}
		if c.List {
			f.Type = reflect.TypeFor[[]string]()
		}
		fields = append(fields, f)
	}
	t := reflect.StructOf(fields)
	r := &relation{name: v.Name, columns: columnsOf(t, "timestamp")}
	r.rows = func(ctx context.Context, q *question, _ query.Expr, _ []string) iter.Seq2[row, error] {
		return func(yield func(row, error) bool) {
			n := 0
			for page, err := range pagesOf(q.db.Data(ctx)) {
				if errors.Is(err, contentdb.ErrNotThere) {
					err = fmt.Errorf("%w: %w", ErrStatement, err)
				}
				if err != nil {
					yield(row{}, err)
					return
				}
				for _, item := range v.Rows(page) {
					if !yield(row{values: viewRow(t, &page[0], item), number: n}, nil) {
						return
					}
					n++
				}
			}
		}
	}
	return r
}

// viewRow is an item as a struct of the view's type.
func viewRow(t reflect.Type, page *schemas.Datum, item pagedata.ViewRow) reflect.Value {
	s := reflect.New(t).Elem()
	for i, text := range []string{
		page.URL, page.SURT, page.Host, page.Domain, page.Timestamp, item.Syntax, item.Type, item.ID,
	} {
		s.Field(i).SetString(text)
	}
	s.Field(len(viewPlace) - 1).SetInt(int64(item.Item))
	for i, values := range item.Values {
		f := s.Field(len(viewPlace) + i)
		switch {
		case f.Kind() == reflect.Slice:
			f.Set(reflect.ValueOf(values))
		case len(values) > 0:
			f.SetString(values[0])
		}
	}
	return s
}

// pagesOf joins the rows of each page. Pages are valid until the next.
func pagesOf(rows iter.Seq2[schemas.Datum, error]) iter.Seq2[[]schemas.Datum, error] {
	return func(yield func([]schemas.Datum, error) bool) {
		var page []schemas.Datum
		for d, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			// A page that was captured twice at one time begins again with its first item.
			if len(page) > 0 && (page[0].URL != d.URL || page[0].Timestamp != d.Timestamp ||
				d.Item < page[len(page)-1].Item && d.Parent == nil && d.Item == 0) {
				if !yield(page, nil) {
					return
				}
				page = page[:0]
			}
			page = append(page, d)
		}
		if len(page) > 0 {
			yield(page, nil)
		}
	}
}
