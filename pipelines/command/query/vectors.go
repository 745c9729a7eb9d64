package query

import (
	"context"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/meaningindex"
	"github.com/gleaner-web/gleaner/schemas"
)

// vectorRows is how many passages a row group has.
const vectorRows = 20_000

// vectorsColumns are the columns of documents beside vectors.
var vectorsColumns = []string{"url", "timestamp", "title", "language", "filename", "offset", "length"}

// vectors writes passages with their vectors as Parquet.
type vectors struct {
	out    io.Writer
	rows   *array.RecordBuilder
	file   *pqarrow.FileWriter
	n      int64
	inHand int
}

// writeVectors writes the vectors of the captures that match.
func writeVectors(ctx context.Context, c config, db *contentdb.DB, out io.Writer) (int64, error) {
	w := &vectors{out: out}
	if err := db.Vectors(ctx, c.query, vectorsColumns, w.begin, w.take); err != nil {
		return 0, err
	}
	if err := w.flush(); err != nil {
		return 0, err
	}
	return w.n, w.file.Close()
}

// begin makes the file. Its column vector is a list of a fixed size. Parquet does not know such lists, so the file also
// has Arrow's schema, by which Arrow's programs read the size.
func (w *vectors) begin(dim int) (err error) {
	text, number := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64
	list := arrow.FixedSizeListOfNonNullable(int32(dim), arrow.PrimitiveTypes.Float32)
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "url", Type: text},
		{Name: "timestamp", Type: text},
		{Name: "title", Type: text},
		{Name: "language", Type: text},
		{Name: "filename", Type: text},
		{Name: "offset", Type: number},
		{Name: "length", Type: number},
		{Name: "passage", Type: text},
		{Name: "from", Type: number},
		{Name: "to", Type: number},
		{Name: "vector", Type: list},
	}, nil)
	w.rows = array.NewRecordBuilder(memory.DefaultAllocator, schema)
	w.file, err = pqarrow.NewFileWriter(schema, unclosed{w.out},
		parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd)),
		pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
	return err
}

// unclosed keeps a library from closing a writer.
type unclosed struct{ io.Writer }

// take adds the passages of a capture.
func (w *vectors) take(d *schemas.Document, list []meaningindex.Passage) error {
	for _, p := range list {
		text := d.Text[min(p.From, len(d.Text)):min(p.To, len(d.Text))]
		for i, s := range []string{d.URL, d.Timestamp, d.Title, d.Language, d.Filename} {
			w.rows.Field(i).(*array.StringBuilder).Append(s)
		}
		w.rows.Field(7).(*array.StringBuilder).Append(text)
		for i, n := range map[int]int64{5: d.Offset, 6: d.Length, 8: int64(p.From), 9: int64(p.To)} {
			w.rows.Field(i).(*array.Int64Builder).Append(n)
		}
		v := w.rows.Field(10).(*array.FixedSizeListBuilder)
		v.Append(true)
		v.ValueBuilder().(*array.Float32Builder).AppendValues(p.Vector, nil)
		w.n++
		if w.inHand++; w.inHand == vectorRows {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush writes a row group.
func (w *vectors) flush() error {
	w.inHand = 0
	group := w.rows.NewRecordBatch()
	defer group.Release()
	return w.file.Write(group)
}
