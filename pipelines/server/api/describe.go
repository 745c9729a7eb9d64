package api

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/gleaner-web/gleaner/schemas"
)

// describe adds descriptions of fields to the schema of a record and of the objects in it.
func describe(records map[string]*huma.Schema, record string, columns []schemas.Column) {
	for _, c := range columns {
		if p := records[record].Properties[c.Name]; p != nil {
			p.Description = c.Text
		}
		describe(records, schemas.Element(c.Type).Name(), c.Columns)
	}
}
