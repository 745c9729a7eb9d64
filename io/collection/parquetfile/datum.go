package parquetfile

import (
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// DataForm is the version of how rows of structured data are written down.
const DataForm = "1"

// datumRow is a Datum as a row. Field ids are never used again: the next column has 15.
type datumRow struct {
	SURT      string    `parquet:"surt,optional,dict,id(1)"`
	URL       string    `parquet:"url,dict,id(2)"`
	Host      string    `parquet:"host,optional,dict,id(3)"`
	Domain    string    `parquet:"domain,optional,dict,id(4)"`
	Timestamp time.Time `parquet:"timestamp,optional,timestamp(microsecond:utc),id(5)"`
	Syntax    string    `parquet:"syntax,dict,id(6)"`
	Item      int32     `parquet:"item,id(7)"`
	Parent    *int32    `parquet:"parent,optional,id(8)"`
	Type      string    `parquet:"type,optional,dict,id(9)"`
	ID        string    `parquet:"id,optional,dict,id(10)"`
	Property  string    `parquet:"property,optional,dict,id(11)"`
	Value     string    `parquet:"value,optional,id(12)"`
	Child     *int32    `parquet:"child,optional,id(13)"`
	Lang      string    `parquet:"lang,optional,dict,id(14)"`
}

// appendData appends the rows of a page as they wait to be sorted: the page's fields, then the fields of each row.
func appendData(b []byte, rows []schemas.Datum) []byte {
	text := func(s string) {
		s = strings.ToValidUTF8(s, "\uFFFD")
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	// Numbers are written as one more, so that 0 means nil.
	number := func(n *int) {
		if n == nil {
			b = append(b, 0)
			return
		}
		b = binary.AppendUvarint(b, uint64(*n)+1)
	}
	first := &rows[0]
	for _, s := range []string{first.SURT, first.URL, first.Host, first.Domain, first.Timestamp} {
		text(s)
	}
	for i := range rows {
		r := &rows[i]
		number(&r.Item)
		number(r.Parent)
		number(r.Child)
		for _, s := range []string{r.Syntax, r.Type, r.ID, r.Property, r.Value, r.Lang} {
			text(s)
		}
	}
	return b
}

// dataReader reads what appendData wrote. After damage it gives empty values.
type dataReader struct {
	b       []byte
	damaged bool
}

func (d *dataReader) size() uint64 {
	n, size := binary.Uvarint(d.b)
	if size <= 0 {
		d.damaged, d.b = true, nil
		return 0
	}
	d.b = d.b[size:]
	return n
}

func (d *dataReader) text() string {
	n := d.size()
	if n > uint64(len(d.b)) {
		d.damaged, d.b = true, nil
		return ""
	}
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}

func (d *dataReader) number() *int32 {
	n := d.size()
	if n == 0 || n > 1<<31 {
		return nil
	}
	i := int32(n - 1)
	return &i
}

// parseData gives the rows of what appendData wrote to emit. They are valid until the next record.
func parseData(b []byte, emit func(datumRow) error) error {
	d := dataReader{b: b}
	page := datumRow{SURT: d.text(), URL: d.text(), Host: d.text(), Domain: d.text()}
	var err error
	if page.Timestamp, err = parseTime(d.text()); err != nil {
		return err
	}
	for len(d.b) > 0 || d.damaged {
		if d.damaged {
			return errors.New("temporary file is damaged")
		}
		r := page
		if item := d.number(); item != nil {
			r.Item = *item
		}
		r.Parent, r.Child = d.number(), d.number()
		r.Syntax, r.Type, r.ID, r.Property, r.Value, r.Lang = d.text(), d.text(), d.text(), d.text(), d.text(), d.text()
		if d.damaged {
			continue
		}
		if err := emit(r); err != nil {
			return err
		}
	}
	return nil
}

func (r *datumRow) datum() schemas.Datum {
	d := schemas.Datum{
		SURT: r.SURT, URL: r.URL, Host: r.Host, Domain: r.Domain, Syntax: r.Syntax, Item: int(r.Item), Type: r.Type,
		ID: r.ID, Property: r.Property, Value: r.Value, Lang: r.Lang, Parent: wide(r.Parent), Child: wide(r.Child),
	}
	if !r.Timestamp.IsZero() {
		d.Timestamp = r.Timestamp.UTC().Format(time.RFC3339Nano)
	}
	return d
}

func wide(n *int32) *int {
	if n == nil {
		return nil
	}
	i := int(*n)
	return &i
}
