package parquetfile

import (
	"fmt"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// advice is for columns that are not read.
const advice = "rename or drop the column, or write it as docs/documents.md says"

// refuse makes an error of a column that is not what it should be. Without its values, documents would be wrong.
func (b *builder) refuse(c *parquet.Column, what string) {
	if b.err != nil {
		return // of a column around this one
	}
	repeated := ""
	if c.Repeated() {
		repeated = "repeated "
	}
	name := strings.Join(c.Path(), ".")
	b.err = fmt.Errorf("parquetfile: the column %s is %s%v, not %s: %s", name, repeated, c.Type(), what, advice)
}

// only returns the column in a group that has no others, or nil.
func only(c *parquet.Column) *parquet.Column {
	if c == nil || len(c.Columns()) != 1 {
		return nil
	}
	return c.Columns()[0]
}

// isElement reports whether the repeated column of a list is an element, not a group around it. LogicalTypes.md of
// Parquet has these rules for lists of two levels.
func isElement(repeated *parquet.Column) bool {
	inner := only(repeated)
	if inner == nil || inner.Repeated() || repeated.Name() == "array" {
		return true
	}
	path := repeated.Path()
	return repeated.Name() == path[len(path)-2]+"_tuple"
}

// filled returns c, or nil if its type says that all its values are null. Arrow writes such columns.
func filled(c *parquet.Column) *parquet.Column {
	if c == nil {
		return nil
	}
	if c.Leaf() {
		if _, null := logical(c).(*format.NullType); null {
			return nil
		}
		return c
	}
	for _, inner := range c.Columns() {
		if filled(inner) != nil {
			return c
		}
	}
	return nil
}

func isText(c *parquet.Column) bool {
	_, decimal := logical(c).(*format.DecimalType)
	return c.Leaf() && c.Type().Kind() == parquet.ByteArray && !decimal
}

// logical returns the logical type of a column, or nil.
func logical(c *parquet.Column) format.LogicalTypeValue {
	if l := c.Type().LogicalType(); l != nil {
		return l.Value
	}
	return nil
}
