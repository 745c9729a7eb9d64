package query

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/parquet-go/parquet-go"
	pqzstd "github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/meaningindex"
	"github.com/gleaner-web/gleaner/schemas"
)

// vectorRows is how many passages a row group has.
const vectorRows = 20_000

// vectorsColumns are the columns of documents beside vectors.
var vectorsColumns = []string{"url", "timestamp", "title", "language", "filename", "offset", "length"}

// vectorRow is a passage with its vector.
type vectorRow struct {
	URL       string    `parquet:"url"`
	Timestamp string    `parquet:"timestamp"`
	Title     string    `parquet:"title"`
	Language  string    `parquet:"language"`
	Filename  string    `parquet:"filename"`
	Offset    int64     `parquet:"offset"`
	Length    int64     `parquet:"length"`
	Passage   string    `parquet:"passage"`
	From      int64     `parquet:"from"`
	To        int64     `parquet:"to"`
	Vector    []float32 `parquet:"vector,list"`
}

// vectors writes passages with their vectors as Parquet.
type vectors struct {
	out  io.Writer
	rows *parquet.GenericWriter[vectorRow]
	n    int64
}

// writeVectors writes the vectors of the captures that match.
func writeVectors(ctx context.Context, c config, db *contentdb.DB, out io.Writer) (int64, error) {
	w := &vectors{out: out}
	if err := db.Vectors(ctx, c.query, vectorsColumns, w.begin, w.take); err != nil {
		return 0, err
	}
	return w.n, w.rows.Close()
}

// begin makes the file. Its column vector is a list of a fixed size. Parquet does not know such lists, so the file also
// has Arrow's schema, by which Arrow's programs read the size.
func (w *vectors) begin(dim int) error {
	schema, err := arrowSchema(dim)
	if err != nil {
		return err
	}
	w.rows = parquet.NewGenericWriter[vectorRow](w.out, parquet.Compression(&pqzstd.Codec{}),
		parquet.MaxRowsPerRowGroup(vectorRows), parquet.KeyValueMetadata("ARROW:schema", schema))
	return nil
}

// arrowSchema returns Arrow's schema of the rows as Parquet's metadata has it: a stream without rows, in base 64.
func arrowSchema(dim int) (string, error) {
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
	var stream bytes.Buffer
	if err := ipc.NewWriter(&stream, ipc.WithSchema(schema)).Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(stream.Bytes()), nil
}

// take adds the passages of a capture.
func (w *vectors) take(d *schemas.Document, list []meaningindex.Passage) error {
	rows := make([]vectorRow, len(list))
	for i, p := range list {
		rows[i] = vectorRow{
			URL: d.URL, Timestamp: d.Timestamp, Title: d.Title, Language: d.Language, Filename: d.Filename,
			Offset: d.Offset, Length: d.Length, Passage: d.Text[min(p.From, len(d.Text)):min(p.To, len(d.Text))],
			From: int64(p.From), To: int64(p.To), Vector: p.Vector,
		}
	}
	n, err := w.rows.Write(rows)
	w.n += int64(n)
	return err
}
