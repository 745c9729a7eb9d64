package contentsql

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"modernc.org/sqlite/vtab"

	"github.com/gleaner-web/gleaner/transforms/pattern"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// kind is the type of a column's values.
type kind int

const (
	isText kind = iota
	isStated
	isTime
	isInteger
	isReal
	isBoolean
	isJSON
	isValue // any of the others
)

// isText reports whether values are texts to SQLite.
func (k kind) isText() bool { return k == isText || k == isStated || k == isTime }

// column is a column of a table.
type column struct {
	name      string
	kind      kind
	place     int    // index of the field for package reflect
	selective bool   // few rows share a value
	zero      bool   // 0 and "" are values, not NULL
	field     string // field of the query language with the same value, or ""
	listed    bool   // the field belongs to a list, of which other elements may pass a test
	reads     string // column of documents that it is made from, or ""
}

// documentColumns are the columns of documents, in the order of schemas.Document.
var documentColumns = func() (list []column) {
	for _, f := range query.Fields() {
		if f.Name != f.Column() {
			continue // a field of an object
		}
		c := column{name: f.Name, kind: kindOf(f), place: len(list), zero: f.Has0(), field: f.Name, reads: f.Name}
		switch f.Name {
		case "url", "surt", "record_id", "digest", "offset":
			c.selective = true
		}
		list = append(list, c)
	}
	return list
}()

// declared returns the column's type in SQLite.
func (c column) declared() string {
	switch c.kind {
	case isInteger, isBoolean:
		return "integer"
	case isReal:
		return "real"
	case isTime, isStated:
		return "text collate " + momentCollation
	case isValue: // numbers stay numbers
		return "collate " + momentCollation
	}
	return "text"
}

func kindOf(f query.Field) kind {
	switch {
	case f.Repeated || f.Map:
		return isJSON
	case f.Name == "timestamp":
		return isTime
	case f.Kind == query.String:
		return isText
	case f.Kind == query.Time: // as the page states it: a date alone, or with a zone
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

// columnsOf returns the columns of rows that are not documents, one for each field. times names those of times.
func columnsOf(t reflect.Type, times ...string) (list []column) {
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		c := column{name: name, kind: isJSON, place: i, zero: options == ""}
		of := t.Field(i).Type
		if of.Kind() == reflect.Pointer && (of.Elem().Kind() == reflect.Int || of.Elem().Kind() == reflect.Float64) {
			of, c.zero = of.Elem(), true // nil is NULL
		}
		switch k := of.Kind(); {
		case slices.Contains(times, name):
			c.kind = isTime
		case k == reflect.String:
			c.kind = isText
		case k == reflect.Int, k == reflect.Int64:
			c.kind = isInteger
		case k == reflect.Float64:
			c.kind = isReal
		case k == reflect.Bool:
			c.kind = isBoolean
		}
		list = append(list, c)
	}
	return list
}

// of returns the value of the column in a row.
func (c column) of(row reflect.Value) (vtab.Value, error) {
	v := row.Field(c.place)
	if c.kind == isValue {
		return v.Interface(), nil
	}
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
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // & and < as in documents, so that a text test finds them
	err := e.Encode(v.Interface())
	return strings.TrimSuffix(b.String(), "\n"), err
}

// takes reports whether the query language can decide a comparison, or a part of it. plain means that texts are
// compared bytewise.
func (c column) takes(op vtab.ConstraintOp, plain bool) bool {
	if c.field == "" {
		return false
	}
	switch k := c.kind; op {
	case vtab.OpEQ:
		return k != isJSON && k != isReal && k != isStated && (plain || !k.isText())
	case vtab.OpLT, vtab.OpLE, vtab.OpGT, vtab.OpGE:
		return !c.listed && (k == isInteger || plain && (k == isText || k == isTime))
	case vtab.OpGLOB: // it has a collation of its own
		return k == isText
	}
	return false
}

// push returns a filter that matches at least what the comparison matches, or nil.
func (c column) push(op vtab.ConstraintOp, value vtab.Value) query.Expr {
	if c.field == "" {
		return nil
	}
	switch v := value.(type) {
	case string:
		return c.pushText(op, v)
	case int64:
		// SQLite compares an integer as a number only with integer columns, and as a text with text columns.
		if c.kind == isBoolean && op == vtab.OpEQ && (v == 0 || v == 1) {
			return compare(c.field, query.Equal, strconv.FormatBool(v == 1))
		}
		if o, ok := operators[op]; ok && c.kind == isInteger {
			return compare(c.field, o, strconv.FormatInt(v, 10))
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
		return &query.Compare{Field: c.field, Op: query.Equal, Value: query.Value{Text: prefix, After: true}}
	case c.kind == isText:
		// Not by NewCompare, which would interpret a star.
		test := &query.Compare{Field: c.field, Op: operators[op], Value: query.Value{Text: v}}
		if c.zero && (op == vtab.OpLT || op == vtab.OpLE) {
			// The query language does not match the empty text, which sorts before all others.
			return &query.Or{List: []query.Expr{test, &query.Not{X: compare(c.field, query.Has, "*")}}}
		}
		return test
	}
	return nil
}

// dated matches texts that sort among times as the periods they mean.
var dated = pattern.Lazy(`^\d{4}(-\d\d(-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?)?)?$`)

// pushTime compares times with the whole period of a text, because 2026-03 as a text sorts before all of March. It uses
// whole seconds, which match at least what a bytewise comparison of texts matches.
func pushTime(op vtab.ConstraintOp, v string) query.Expr {
	if v = moment(v); !dated().MatchString(v) {
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

// compare returns a comparison, or nil if the query language refuses it, for example for a year out of range.
func compare(name string, op query.Op, value string) query.Expr {
	c, err := query.NewCompare(name, op, value)
	if err != nil {
		return nil
	}
	return c
}
