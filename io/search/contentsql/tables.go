package contentsql

import (
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// Table describes a table for people who write statements.
type Table struct {
	Name    string
	Filter  bool // it takes a filter of the query language: documents('lang = fr')
	Columns []TableColumn
}

// TableColumn is a column of a table.
type TableColumn struct {
	Name string
	Type string // text, time, integer, real, 0 or 1, JSON, any
	Text string // meaning, if it is a field of documents
}

// kindNames are what people call the kinds of values.
var kindNames = map[kind]string{
	isText: "text", isStated: "time", isTime: "time", isInteger: "integer", isReal: "real", isBoolean: "0 or 1",
	isJSON: "JSON", isValue: "any",
}

// hostColumns are the columns of the view hosts.
var hostColumns = []TableColumn{
	{"host", "text", "host name"},
	{"domain", "text", "registrable domain of the host"},
	{"captures", "integer", "captures of the host"},
	{"pages", "integer", "different URLs, by their SURT"},
	{"bytes", "integer", "of all records"},
	{"first", "time", "first capture"},
	{"last", "time", "last capture"},
}

// Tables returns all tables with their columns.
func Tables() []Table {
	texts := map[string]string{}
	for _, c := range schemas.Columns() {
		texts[c.Name] = c.Text
	}
	var list []Table
	for _, r := range relations {
		t := Table{Name: r.name, Filter: r.filter}
		for _, c := range r.columns {
			column := TableColumn{Name: c.name, Type: kindNames[c.kind]}
			if r.name == "documents" || c.field != "" && c.field == c.name {
				column.Text = texts[c.name]
			}
			t.Columns = append(t.Columns, column)
		}
		list = append(list, t)
	}
	i := slices.IndexFunc(list, func(t Table) bool { return t.Name == "links" })
	return slices.Insert(list, i, Table{Name: "hosts", Columns: hostColumns},
		Table{Name: "host_index", Columns: hostIndexColumns})
}
