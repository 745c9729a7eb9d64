package corpora

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Column is a column of documents that rows have in addition.
type Column struct {
	Path string            `json:"path"` // of the query language: quality.words, custom.edu
	Name string            `json:"name"` // in rows: quality_words, edu
	Type schemas.ValueType `json:"type"`
	List bool              `json:"list,omitempty"` // all values of a document; otherwise the first
}

// tokensColumn is the name of the column with the number of tokens.
const tokensColumn = "tokens"

// NewColumn returns the column of a path, which ends with [] for a list. types are those of custom columns; others are
// texts.
func NewColumn(path string, types map[string]schemas.ValueType) (c Column, err error) {
	c.Path, c.List = strings.CutSuffix(path, "[]")
	f, key, err := query.Lookup(c.Path)
	if err != nil {
		return c, err
	}
	c.List = c.List || f.Repeated && !f.Map
	c.Name = strings.ReplaceAll(f.Name, ".", "_")
	switch f.Kind {
	case query.Message:
		return c, fmt.Errorf("%s has fields: name one of them, such as %s", path, example(f.Name))
	case query.Integer:
		c.Type = schemas.TypeInteger
	case query.Real:
		c.Type = schemas.TypeFloat
	case query.Boolean:
		c.Type = schemas.TypeBoolean
	default:
		c.Type = schemas.TypeText
	}
	if f.Map {
		if key == "" {
			return c, fmt.Errorf("%s has values by name: name one of them, as %s.price", path, path)
		}
		c.Name = key
	}
	if t := types[key]; f.Map && f.Name == query.CustomPlace(schemas.TypeText) && t != "" {
		c.Type, c.Path = t, query.CustomPlace(t)+"."+key
	}
	return c, nil
}

// example returns the name of a field inside of another.
func example(name string) string {
	for _, f := range query.Fields() {
		if strings.HasPrefix(f.Name, name+".") && f.Kind != query.Message {
			return f.Name
		}
	}
	return name
}

// CheckColumns returns an error if rows would have two columns of one name.
func CheckColumns(columns []Column) error {
	names := []string{tokensColumn, "reason"}
	for _, f := range rowFields() {
		names = append(names, f.Tag.Get("json"))
	}
	for _, c := range columns {
		if slices.Contains(names, c.Name) {
			return fmt.Errorf("%s: rows have a column %s already", c.Path, c.Name)
		}
		names = append(names, c.Name)
	}
	return nil
}

// valuesOf returns the values of columns of a document as JSON.
func valuesOf(d *schemas.Document, columns []Column) ([]byte, error) {
	values := map[string]any{}
	for _, c := range columns {
		f, key, err := query.Lookup(c.Path)
		if err != nil {
			return nil, err
		}
		switch list := f.Values(d, key); {
		case len(list) == 0:
		case c.List:
			values[c.Name] = list
		default:
			values[c.Name] = list[0]
		}
	}
	return json.Marshal(values)
}

// rowFields returns the fields of Row that files have.
func rowFields() (list []reflect.StructField) {
	for f := range reflect.TypeFor[Row]().Fields() {
		if f.Tag.Get("json") != "-" {
			list = append(list, f)
		}
	}
	return list
}

// form makes records of rows: with more columns than Row has, if the options say so.
type form struct {
	tokens bool
	wide   reflect.Type // a record with all columns, or nil for Row
	full   reflect.Type // the same with the reason
}

func (o Options) form() *form {
	if o.Tokens == "" && len(o.Columns) == 0 {
		return &form{}
	}
	fields := rowFields()
	add := func(t reflect.Type, name, options string) {
		tag := fmt.Sprintf(`json:%q parquet:%q`, name, name+options)
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprint("Column", len(fields)), Type: t, Tag: reflect.StructTag(tag),
		})
	}
	if o.Tokens != "" {
		add(reflect.TypeFor[int64](), tokensColumn, "")
	}
	for _, c := range o.Columns {
		if t := goType(c.Type); c.List {
			add(reflect.SliceOf(t), c.Name, ",list")
		} else {
			add(reflect.PointerTo(t), c.Name, ",optional")
		}
	}
	w := &form{tokens: o.Tokens != "", wide: reflect.StructOf(fields)}
	add(reflect.TypeFor[string](), "reason", "")
	w.full = reflect.StructOf(fields)
	return w
}

// schema returns the schema of Parquet files.
func (w *form) schema() *parquet.Schema {
	if w.wide == nil {
		return parquet.SchemaOf(new(Row))
	}
	return parquet.NewSchema("Row", parquet.SchemaOf(reflect.New(w.wide).Interface()))
}

func goType(t schemas.ValueType) reflect.Type {
	switch t {
	case schemas.TypeInteger:
		return reflect.TypeFor[int64]()
	case schemas.TypeFloat:
		return reflect.TypeFor[float64]()
	case schemas.TypeBoolean:
		return reflect.TypeFor[bool]()
	}
	return reflect.TypeFor[string]()
}

// record returns what files have of a row.
func (w *form) record(r *Row, reason string) (any, error) {
	switch {
	case w.wide == nil && reason == "":
		return r, nil
	case w.wide == nil:
		return Refused{Row: *r, Reason: reason}, nil
	}
	t := w.wide
	if reason != "" {
		t = w.full
	}
	p := reflect.New(t)
	v, row := p.Elem(), reflect.ValueOf(r).Elem()
	base := rowFields()
	for i, f := range base {
		v.Field(i).Set(row.FieldByIndex(f.Index))
	}
	if w.tokens {
		v.Field(len(base)).SetInt(r.Tokens)
	}
	if reason != "" {
		v.Field(v.NumField() - 1).SetString(reason)
	}
	if len(r.Extra) == 0 {
		return p.Interface(), nil
	}
	return p.Interface(), json.Unmarshal(r.Extra, p.Interface())
}
