package postgres

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/schemas"
)

// column is a column of the table. Its value is appended in the format of COPY … (FORMAT binary): its length in four
// bytes, and its bytes. Numbers are in network byte order (the manual's page on COPY).
type column struct {
	name, kind string
	value      func(row []byte, d *schemas.Document) []byte
}

// columns are the table's columns, except for the last one, document. The first three are the key.
var columns = []column{
	{"filename", "text", func(b []byte, d *schemas.Document) []byte { return AppendText(b, d.Filename) }},
	{"offset", "bigint", func(b []byte, d *schemas.Document) []byte { return AppendBig(b, d.Offset) }},
	{"sequence", "integer", func(b []byte, d *schemas.Document) []byte { return AppendInt(b, d.Sequence) }},
	{"length", "bigint", func(b []byte, d *schemas.Document) []byte { return AppendBig(b, d.Length) }},
	{"url", "text", func(b []byte, d *schemas.Document) []byte { return AppendText(b, d.URL) }},
	{"surt", "text", func(b []byte, d *schemas.Document) []byte { return AppendText(b, d.SURT) }},
	{"host", "text", func(b []byte, d *schemas.Document) []byte { return AppendText(b, d.Host) }},
	{"domain", "text", func(b []byte, d *schemas.Document) []byte { return AppendText(b, d.Domain) }},
	{"timestamp", timestamptz, func(b []byte, d *schemas.Document) []byte { return appendTime(b, d.Timestamp) }},
	{"status", "integer", func(b []byte, d *schemas.Document) []byte { return appendKnown(b, d.Status) }},
	{"mime", "text", func(b []byte, d *schemas.Document) []byte { return AppendText(b, d.MIMEDetected) }},
	{"charset", "text", func(b []byte, d *schemas.Document) []byte { return AppendText(b, d.Charset) }},
	{"language", "text", func(b []byte, d *schemas.Document) []byte { return AppendText(b, d.Language) }},
	{"title", "text", func(b []byte, d *schemas.Document) []byte { return AppendText(b, d.Title) }},
	{"description", "text", func(b []byte, d *schemas.Document) []byte { return AppendText(b, d.Description) }},
	{"published", "text", func(b []byte, d *schemas.Document) []byte { return AppendText(b, d.Published) }},
	{"text", "text", func(b []byte, d *schemas.Document) []byte { return AppendText(b, d.Text) }},
	{"page_type", "text", func(b []byte, d *schemas.Document) []byte { return AppendText(b, d.PageType) }},
	{"record_type", "text", func(b []byte, d *schemas.Document) []byte { return AppendText(b, string(d.RecordType)) }},
	{"record_id", "text", func(b []byte, d *schemas.Document) []byte { return AppendText(b, d.RecordID) }},
	{"digest", "text", func(b []byte, d *schemas.Document) []byte { return AppendText(b, d.Digest) }},
	{"body_bytes", "bigint", func(b []byte, d *schemas.Document) []byte { return AppendBig(b, d.BodyBytes) }},
	{"damaged", "boolean", func(b []byte, d *schemas.Document) []byte { return AppendBool(b, d.Damaged) }},
}

const timestamptz = "timestamp with time zone"

// identity is the number of columns in the key, from the first on.
const identity = 3

// appendRow makes the row of a page in the format of COPY.
func appendRow(p *sink.Page) ([]byte, error) {
	whole, err := p.JSON()
	if err != nil {
		return nil, err
	}
	// An estimate that fits most rows and saves copies during growth.
	b := make([]byte, 0, len(whole)+len(p.Document.Text)+1024)
	b = AppendRow(b, len(columns)+1)
	for _, c := range columns {
		b = c.value(b, p.Document)
	}
	return AppendJSON(b, whole), nil
}

// AppendRow begins a row with columns columns in the format COPY … (FORMAT binary). Their values are appended after it.
func AppendRow(b []byte, columns int) []byte {
	return binary.BigEndian.AppendUint16(b, uint16(columns))
}

// AppendJSON appends a value of type jsonb, without NULs, which it cannot hold.
func AppendJSON(b, value []byte) []byte {
	value = withoutNUL(value)
	// The length includes the version byte.
	b = binary.BigEndian.AppendUint32(b, uint32(len(value)+1)) // a value is far from 4 GiB: payloads and texts are cut
	b = append(b, 1)                                           // the version of jsonb's binary format, which is text
	return append(b, value...)
}

// Copy copies rows into a table; each row begins with the result of AppendRow.
func Copy(ctx context.Context, c *pgconn.PgConn, table string, rows io.Reader) error {
	// The format of COPY: a signature, two empty fields, the rows, and -1 in two bytes as the number of columns of one
	// more.
	file := io.MultiReader(strings.NewReader("PGCOPY\n\xff\r\n\x00"+strings.Repeat("\x00", 8)), rows,
		strings.NewReader("\xff\xff"))
	_, err := c.CopyFrom(ctx, file, "COPY "+quoted(table)+" FROM STDIN (FORMAT binary)")
	return err
}

// AppendNull appends NULL, which has the length -1.
func AppendNull(b []byte) []byte { return binary.BigEndian.AppendUint32(b, math.MaxUint32) }

// AppendText appends a text, or NULL for an empty one. PostgreSQL accepts neither NUL bytes nor invalid UTF-8.
func AppendText(b []byte, s string) []byte {
	if s == "" {
		return AppendNull(b)
	}
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\uFFFD"), "\uFFFD")
	return append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...)
}

// AppendBig appends a bigint.
func AppendBig(b []byte, n int64) []byte {
	// Length 8, then the value; negative ones are in two's complement.
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(b, 8), uint64(n))
}

// AppendInt appends a number that fits four bytes, or NULL.
func AppendInt(b []byte, n int) []byte {
	// On a machine with 64 bits an int may exceed the column.
	if n != int(int32(n)) {
		return AppendNull(b)
	}
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, 4), uint32(n))
}

// appendKnown is AppendInt with NULL for 0.
func appendKnown(b []byte, n int) []byte {
	if n == 0 {
		return AppendNull(b)
	}
	return AppendInt(b, n)
}

// AppendBool appends a boolean.
func AppendBool(b []byte, v bool) []byte {
	b = binary.BigEndian.AppendUint32(b, 1)
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// epoch is the start of PostgreSQL's count of microseconds.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()

// appendTime appends a time of RFC 3339. All years of four digits fit.
func appendTime(b []byte, s string) []byte {
	// Fractions finer than a microsecond are dropped.
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return AppendNull(b)
	}
	return AppendBig(b, t.UnixMicro()-epoch)
}

// nul is NUL as package encoding/json writes it.
var nul = []byte(`\u0000`)

// withoutNUL replaces each NUL in JSON with U+FFFD. An escaped backslash does not begin one.
func withoutNUL(b []byte) []byte {
	// Nearly all documents end here, without a copy.
	if !bytes.Contains(b, nul) {
		return b
	}
	clean := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		switch {
		// A plain byte, or a lone backslash at the end, which valid JSON does not have.
		case b[i] != '\\' || i+1 == len(b):
			clean = append(clean, b[i])
		case bytes.HasPrefix(b[i:], nul):
			clean = append(clean, `\ufffd`...)
			i += len(nul) - 1
		default:
			// Both bytes of an escape, so that its second one does not begin another.
			clean = append(clean, b[i], b[i+1])
			i++
		}
	}
	return clean
}
