package parquetfile

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// Files of version 4 and before have published and modified as texts; newer files use these names for timestamps. No
// conversion exists in parquet-go, so such a file is read twice in parallel: all other columns, and these two.

type textDates struct {
	Published string `parquet:"published,optional"`
	Modified  string `parquet:"modified,optional"`
}

// undated is the schema of rows without these columns.
var undated = parquet.NewSchema("row", without{parquet.SchemaOf(row{}), []string{"published", "modified"}})

// without is a group that lacks some of its fields.
type without struct {
	parquet.Node
	names []string
}

func (w without) Fields() []parquet.Field {
	return slices.DeleteFunc(slices.Clone(w.Node.Fields()), func(f parquet.Field) bool {
		return slices.Contains(w.names, f.Name())
	})
}

// hasTextDates reports whether a file is of version 4 or before.
func hasTextDates(f *parquet.File) bool {
	c := f.Root().Column("published")
	return c != nil && c.Leaf() && c.Type().Kind() == parquet.ByteArray
}

// addDates reads the dates of the rows.
func addDates(in *parquet.GenericReader[textDates], rows []row) error {
	dates := make([]textDates, len(rows))
	for n := 0; n < len(dates); {
		m, err := in.Read(dates[n:])
		if n += m; n == len(dates) {
			break
		}
		if errors.Is(err, io.EOF) || err == nil && m == 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return fmt.Errorf("parquetfile: dates: %w", err)
		}
	}
	for i, d := range dates {
		rows[i].Published, rows[i].PublishedText = splitDate(d.Published)
		rows[i].Modified, rows[i].ModifiedText = splitDate(d.Modified)
	}
	return nil
}
