package contentsql

import (
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"modernc.org/sqlite/vtab"

	"github.com/gleaner-web/gleaner/io/collection/contentdb"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// kind is what the values of a column are.
type kind int

const (
	isText kind = iota
	isStated
	isTime
	isInteger
	isReal
	isBoolean
	isJSON
)

// isText tells whether values are texts to SQLite.
func (k kind) isText() bool { return k == isText || k == isStated || k == isTime }

// column is a field of documents.
type column struct {
	name      string
	declared  string // type of SQLite
	kind      kind
	place     int  // of the field, for package reflect
	selective bool // few rows have the same value
	zero      bool // 0 and the empty text are values, and not NULL
}

// columns are all, in the order of schemas.Document.
var columns = func() (list []column) {
	for i, name := range contentdb.Columns() {
		k := isJSON
		f, _, err := query.Lookup(name)
		if err == nil { // always: see TestColumns_areFields
			k = kindOf(f)
		}
		list = append(list, column{name: name, kind: k, place: i, zero: f.Has0(), declared: declared[k]})
		switch name {
		case "url", "surt", "record_id", "digest", "offset":
			list[i].selective = true
		}
	}
	return list
}()

var declared = map[kind]string{
	isText: "text", isStated: "text", isTime: "text", isInteger: "integer", isBoolean: "integer", isReal: "real",
	isJSON: "text",
}

func kindOf(f query.Field) kind {
	switch {
	case f.Repeated || f.Map:
		return isJSON
	case f.Name == "timestamp":
		return isTime
	case f.Kind == query.String:
		return isText
	case f.Kind == query.Time: // as a page states it: a date alone, or with a zone
		return isStated
	case f.Kind == query.Integer:
		return isInteger
	case f.Kind == query.Real:
		return isReal
	case f.Kind == query.Boolean:
		return isBoolean
	}
	return isJSON
}

// of is the value that a document has.
func (c column) of(d *schemas.Document) (vtab.Value, error) {
	v := reflect.ValueOf(d).Elem().Field(c.place)
	if c.kind == isTime {
		return timeText(v.String()), nil
	}
	if v.Kind() == reflect.Pointer && c.kind != isJSON {
		if v.IsNil() {
			return nil, nil
		}
		v = v.Elem()
	}
	switch {
	case c.kind == isBoolean:
		return map[bool]int64{true: 1}[v.Bool()], nil
	case v.IsZero() && !c.zero:
		return nil, nil
	case c.kind == isInteger:
		return v.Int(), nil
	case c.kind == isReal:
		return v.Float(), nil
	case c.kind != isJSON:
		return v.String(), nil
	case v.IsZero() || (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0:
		return nil, nil
	}
	b, err := json.Marshal(v.Interface())
	return string(b), err
}

// timeText writes a time so that texts sort as times do, to the second: in UTC, whatever zone another program wrote.
func timeText(s string) vtab.Value {
	if t, ok := query.ParseTime(s); ok {
		return t.Format(time.RFC3339Nano)
	}
	if s == "" {
		return nil
	}
	return s
}

// push is a filter that takes at least what the comparison takes; nil where there is none.
func (c column) push(op vtab.ConstraintOp, value vtab.Value) query.Expr {
	switch v := value.(type) {
	case string:
		return c.pushText(op, v)
	case int64:
		// An integer is compared as one with a column of integers alone: a column of texts makes a text of it.
		if c.kind == isBoolean && op == vtab.OpEQ && (v == 0 || v == 1) {
			return compare(c.name, query.Equal, strconv.FormatBool(v == 1))
		}
		if o, ok := operators[op]; ok && c.kind == isInteger {
			return compare(c.name, o, strconv.FormatInt(v, 10))
		}
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return c.push(op, int64(v))
		}
	}
	return nil
}

var operators = map[vtab.ConstraintOp]query.Op{
	vtab.OpEQ: query.Equal, vtab.OpLT: query.Less, vtab.OpLE: query.LessEqual, vtab.OpGT: query.Greater,
	vtab.OpGE: query.GreaterEqual,
}

func (c column) pushText(op vtab.ConstraintOp, v string) query.Expr {
	switch {
	case v == "":
		return nil
	case c.kind == isTime:
		return pushTime(op, v)
	case op == vtab.OpGLOB && c.kind == isText:
		prefix := v
		if i := strings.IndexAny(v, "*?["); i >= 0 {
			prefix = v[:i]
		}
		if prefix == "" {
			return nil
		}
		return &query.Compare{Field: c.name, Op: query.Equal, Value: query.Value{Text: prefix, Behind: true}}
	case c.kind == isText:
		// Made without NewCompare, which would read a star in the text.
		return &query.Compare{Field: c.name, Op: operators[op], Value: query.Value{Text: v}}
	}
	return nil
}

// dated are texts that sort among times as the periods do that they stand for.
var dated = regexp.MustCompile(`^\d{4}(-\d\d(-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?)?)?$`)

// pushTime compares times by the whole periods that texts stand for: as texts 2026-03 is before all of March, and a
// second is behind all of its fractions.
func pushTime(op vtab.ConstraintOp, v string) query.Expr {
	if !dated.MatchString(v) {
		return nil
	}
	if len(v) > len("2026-03-04T10:30:00Z") {
		v = v[:len("2026-03-04T10:30:00")] + "Z"
	}
	switch op {
	case vtab.OpEQ:
		return compare("timestamp", query.Equal, v)
	case vtab.OpGT, vtab.OpGE:
		return compare("timestamp", query.GreaterEqual, v)
	case vtab.OpLT, vtab.OpLE:
		return compare("timestamp", query.LessEqual, v)
	}
	return nil
}

// compare is a comparison, or nil where the query language does not take it, as with a year that it does not know.
func compare(name string, op query.Op, value string) query.Expr {
	c, err := query.NewCompare(name, op, value)
	if err != nil {
		return nil
	}
	return c
}
