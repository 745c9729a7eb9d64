package schemas

import (
	"cmp"
	_ "embed"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Column describes a field of documents, or of an object in them, for readers, writers and servers. The tag "field"
// has options with commas between them:
//
//	id=N        ID
//	dict        Repeats
//	long        Long
//	count       Count
//	moment, date, time
//	            Time
//	by=NAME     By
//	in=NAME     Family
//	index       Index, as the type has it; index=text and index=names for words
//	copy=NAME   Copy
type Column struct {
	Name     string       // in JSON
	Type     reflect.Type // of the field
	Place    int          // of the field in its struct
	Optional bool         // JSON leaves out the field if it is empty
	// ID is the field id in Parquet. Columns inside have the ids that follow, in their order, unless they have their own.
	// Table formats keep an id for the life of a table, so no id is used again.
	ID      int
	Repeats bool // few distinct values: Parquet keeps a dictionary
	Long    bool // long texts: Parquet keeps no bounds
	Count   bool // 0, which JSON leaves out, is a value
	Time    Time
	By      string // extractor that fills the field, or ByCapture; empty for neither
	Family  string // family of columns in HBase; empty for the default
	Index   Index  // in Elasticsearch
	Copy    string // another field of Elasticsearch for the values of all objects of a list
	Text    string // description: the comment in document.go
	Columns []Column
}

// ByCapture is Column.By of fields that need the archive's record alone.
const ByCapture = "capture"

// Time says which texts are times.
type Time string

// The texts that are times.
const (
	NoTime Time = ""
	Moment Time = "moment" // a timestamp in Parquet
	Stated Time = "date"   // as a page states it: in Parquet a timestamp, and the text if it says more
	AsText Time = "time"   // a text in Parquet
)

// Index is how Elasticsearch indexes a field.
type Index string

// The ways to index.
const (
	NoIndex Index = ""
	Exact   Index = "exact" // by the type: texts as they are, numbers, times, objects
	Words   Index = "text"  // the words of a text
	Names   Index = "names" // the words of a text, and the text as it is
)

// Columns returns the columns of Document in its order. Callers must not change them.
var Columns = sync.OnceValue(func() []Column { return ColumnsOf(reflect.TypeFor[Document]()) })

// ColumnsOf reads the tags of a struct, and of the structs in it. It panics if a tag has an unknown option.
func ColumnsOf(t reflect.Type) []Column {
	list := make([]Column, t.NumField())
	for i := range list {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		c := Column{Name: name, Type: f.Type, Place: i, Optional: options == "omitempty"}
		c.Text = comments()[t.Name()+"."+f.Name]
		for option := range strings.SplitSeq(f.Tag.Get("field"), ",") {
			if !c.set(option) {
				panic(fmt.Sprintf("schemas: %v.%s: unknown option %q", t, f.Name, option))
			}
		}
		if inner := Element(f.Type); inner.Kind() == reflect.Struct {
			c.Columns = ColumnsOf(inner)
		}
		list[i] = c
	}
	return list
}

// Makers returns the extractors that must all run to fill a field: entities.sentiment needs entities and sentiment. It
// returns none for fields that need the archive's record alone, and for those that no extractor of ours fills.
func Makers(path string) (names []string) {
	list := Columns()
	for path != "" && len(list) > 0 {
		i := slices.IndexFunc(list, func(c Column) bool {
			rest, is := strings.CutPrefix(path, c.Name)
			return is && (rest == "" || rest[0] == '.')
		})
		if i < 0 {
			break
		}
		c := list[i]
		if c.By != "" && c.By != ByCapture && !slices.Contains(names, c.By) {
			names = append(names, c.By)
		}
		list, path = c.Columns, strings.TrimPrefix(strings.TrimPrefix(path, c.Name), ".")
	}
	return names
}

// Element returns the innermost type of lists, maps and pointers, and any other type itself.
func Element(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return Element(t.Elem())
	}
	return t
}

// set applies an option of a tag. It reports whether the option is known.
func (c *Column) set(option string) bool {
	name, value, _ := strings.Cut(option, "=")
	var err error
	switch name {
	case "":
	case "id":
		c.ID, err = strconv.Atoi(value)
	case "dict":
		c.Repeats = true
	case "long":
		c.Long = true
	case "count":
		c.Count = true
	case "moment", "date", "time":
		c.Time = Time(name)
	case "by":
		c.By = value
	case "in":
		c.Family = value
	case "index":
		c.Index = Index(cmp.Or(value, string(Exact)))
	case "copy":
		c.Copy = value
	default:
		return false
	}
	return err == nil
}

//go:embed document.go
var source string

// comments returns the comments of the fields in document.go, by "Struct.Field". Tags have no room for sentences.
var comments = sync.OnceValue(func() map[string]string {
	texts := map[string]string{}
	var record, above string
	for line := range strings.Lines(source) {
		text, isField := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "\t")
		if comment, ok := strings.CutPrefix(text, "// "); ok && isField {
			above = strings.TrimSpace(above + " " + comment)
			continue
		}
		name, rest, _ := strings.Cut(text, " ")
		if _, after, _ := strings.Cut(rest, "// "); isField {
			texts[record+"."+name] = cmp.Or(above, after)
		} else if name == "type" {
			record, _, _ = strings.Cut(rest, " ")
		}
		above = ""
	}
	return texts
})
