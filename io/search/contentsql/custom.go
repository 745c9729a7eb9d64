package contentsql

import (
	"context"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
	"strconv"

	"modernc.org/sqlite/vtab"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// customValue is a row of custom: a value of a custom column, with fields of the capture. Tags are as in schemas.
type customValue struct {
	URL       string `json:"url"`
	SURT      string `json:"surt,omitempty"`
	Host      string `json:"host,omitempty"`
	Domain    string `json:"domain,omitempty"`
	Timestamp string `json:"timestamp,omitempty"`
	Language  string `json:"language,omitempty"`
	Filename  string `json:"filename"`
	Offset    int64  `json:"offset"`
	Sequence  int    `json:"sequence,omitempty"`

	Name     string `json:"name"`
	Type     string `json:"type"`
	Position int    `json:"position"` // in the list, from 0
	Value    any    `json:"value"`
}

// nameColumn and valueColumn together select custom values.
const nameColumn, valueColumn = "name", "value"

// customColumns returns the columns of customValue. Columns of the capture have fields of documents.
func customColumns() []column {
	list := columnsOf(reflect.TypeFor[customValue](), "timestamp")
	for i := range list {
		c := &list[i]
		// Columns that documents have, too, can be tested before rows are made.
		j := slices.IndexFunc(documentColumns, func(d column) bool { return d.name == c.name })
		if j >= 0 {
			c.field, c.reads, c.selective, c.zero = c.name, c.name, documentColumns[j].selective, documentColumns[j].zero
		}
	}
	// The last field is the value, whose type differs by row.
	list[len(list)-1].kind = isValue
	return list
}

// customFields are the columns of documents that hold custom values.
var customFields = []string{"custom", "custom_integers", "custom_floats", "custom_booleans", "custom_times"}

// customRows yields the custom values of all documents.
func customRows(ctx context.Context, q *question, where query.Expr, columns []string) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		// Types belong to the collection: a single document does not show them.
		q.lack(q.db.LacksOf("custom"))
		types := q.db.CustomTypes()
		for d, err := range q.documents(ctx, where, append(columns, customFields...)) {
			if err != nil {
				yield(row{}, err)
				return
			}
			// n numbers the rows of a document, position the values of a column in it.
			n := 0
			for _, name := range d.CustomColumns() {
				position := 0
				for t, v := range valuesOf(d, name, types[name]) {
					x := &customValue{
						d.URL, d.SURT, d.Host, d.Domain, d.Timestamp, d.Language, d.Filename, d.Offset, d.Sequence,
						name, string(t), position, v,
					}
					if !yield(row{values: reflect.ValueOf(x).Elem(), of: d, number: n}, nil) {
						return
					}
					n, position = n+1, position+1
				}
			}
		}
	}
}

// valuesOf yields the values of a document's custom column, as SQLite has them. Texts that were written before the
// column had a type are converted to it if possible.
func valuesOf(d *schemas.Document, name string, of schemas.ValueType) iter.Seq2[schemas.ValueType, any] {
	return func(yield func(schemas.ValueType, any) bool) {
		each := func(d *schemas.Document) bool {
			return eachOf(schemas.TypeInteger, d.CustomIntegers[name], func(n int64) any { return n }, yield) &&
				eachOf(schemas.TypeFloat, d.CustomFloats[name], func(x schemas.Float) any { return float64(x) }, yield) &&
				eachOf(schemas.TypeBoolean, d.CustomBooleans[name], truth, yield) &&
				eachOf(schemas.TypeTime, d.CustomTimes[name], func(s string) any { return timeText(s) }, yield)
		}
		if !each(d) {
			return
		}
		for _, s := range d.Custom[name] {
			// A separate document converts the text to the column's type.
			typed := &schemas.Document{}
			if of != "" && of != schemas.TypeText && typed.SetCustom(name, of, []string{s}) == nil {
				if !each(typed) {
					return
				}
			} else if !yield(schemas.TypeText, s) {
				return
			}
		}
	}
}

// truth returns 1 or 0, because SQLite has no booleans.
func truth(b bool) any { return map[bool]int64{true: 1}[b] }

// eachOf yields the values of a list as values of type t. It returns false after yield did.
func eachOf[T any](
	t schemas.ValueType, list []T, value func(T) any, yield func(schemas.ValueType, any) bool,
) bool {
	for _, v := range list {
		if !yield(t, value(v)) {
			return false
		}
	}
	return true
}

// narrowCustom returns what a scan of custom requires of documents: the column, and a matching value. A value of
// another type than the column's is an error, because to SQLite every text is greater than every number.
func narrowCustom(t *table, tests []test, values []vtab.Value) (query.Expr, error) {
	// Only a single name narrows the scan.
	name := ""
	for i, x := range tests {
		if s, ok := values[i].(string); ok && t.isColumn(x.column, nameColumn) && x.op == vtab.OpEQ {
			name = s
		}
	}
	// Without an exact and valid name the scan cannot be narrowed.
	if _, _, err := query.Lookup("custom." + name); name == "" || err != nil {
		return nil, nil
	}
	// Each comparison narrows; SQLite tests the rest.
	var list []query.Expr
	for i, x := range tests {
		// Where a column may hold texts, too, these are greater than every number: SQLite decides.
		if !t.isColumn(x.column, valueColumn) || t.q.db.IsMixed(name) {
			continue
		}
		e, err := compareCustom(name, t.q.db.CustomTypes()[name], x.op, values[i])
		if err != nil {
			return nil, err
		}
		if e != nil {
			list = append(list, e)
		}
	}
	// Without an index, the shard's columns exclude documents without the column.
	if t.q.plain {
		list = append(list, compare("custom."+name, query.Has, "*"))
	}
	if len(list) == 0 {
		return nil, nil
	}
	return &query.And{List: list}, nil
}

func (t *table) isColumn(i int, name string) bool {
	return i < len(t.columns) && t.columns[i].name == name
}

// compareCustom returns a filter that matches at least what a comparison of values matches, or nil. The error means
// that the value has another type than the column.
func compareCustom(name string, of schemas.ValueType, op vtab.ConstraintOp, value vtab.Value) (query.Expr, error) {
	// SQLite gives numbers as int64 or float64, and everything else as text.
	text, isText := value.(string)
	isNumber := of == schemas.TypeInteger || of == schemas.TypeFloat || of == schemas.TypeBoolean
	switch {
	case of == "": // unknown
		return nil, nil
	case isText == isNumber:
		takes := map[bool]string{true: "a number", false: "a text"}[isNumber]
		return nil, &query.TypeError{
			Column: "custom." + name, Type: of,
			Err: fmt.Errorf("compare it with %s, and not with %.60q, or write cast(value as …)", takes, fmt.Sprint(value)),
		}
	case of == schemas.TypeText:
		return nil, nil
	case of == schemas.TypeTime:
		return customTime(name, op, text), nil
	}
	x, isReal := value.(float64)
	if n, is := value.(int64); is {
		return compareBound(name, of, operators[op], strconv.FormatInt(n, 10)), nil
	}
	// A fraction compared with integers is left to SQLite, and so is infinity.
	if isReal && of == schemas.TypeFloat && !math.IsInf(x, 0) {
		return compareBound(name, of, operators[op], strconv.FormatFloat(x, 'g', -1, 64)), nil
	}
	return nil, nil
}

// customTime is pushTime for a custom column.
func customTime(name string, op vtab.ConstraintOp, v string) query.Expr {
	c, is := pushTime(op, v).(*query.Compare)
	if !is {
		return nil
	}
	return compareBound(name, schemas.TypeTime, c.Op, c.Value.Text)
}

// compareBound returns a comparison of a custom column of a type, or nil if the type refuses it.
func compareBound(name string, of schemas.ValueType, op query.Op, value string) query.Expr {
	// SQLite has 0 and 1 where filters have false and true.
	if of == schemas.TypeBoolean && op == query.Equal && (value == "0" || value == "1") {
		value = map[string]string{"1": "true", "0": "false"}[value]
	}
	e := compare("custom."+name, op, value)
	if e == nil {
		return nil
	}
	bound, err := query.Bind(e, map[string]schemas.ValueType{name: of})
	// Without a filter more documents are read, but the result is the same.
	if err != nil {
		return nil
	}
	return bound
}
