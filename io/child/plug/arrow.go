package plug

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/gleaner-web/gleaner/io/child/plug/arrowanswer"
	"github.com/gleaner-web/gleaner/schemas"
)

// arrows is the exchange of Arrow streams: a record batch for each request, and one for each answer.
type arrows struct {
	columns []arrowColumn
	schema  *arrow.Schema
	head    []byte // the schema's message
	typed   map[string]schemas.ValueType
	rows    atomic.Int64 // that were asked for
}

// arrowColumn is a column of documents. put appends a value.
type arrowColumn struct {
	arrow.Field
	put func(to array.Builder, value any) error
}

// newArrows returns the exchange for columns of documents, by name.
func newArrows(p *Plug) (*arrows, error) {
	for _, name := range []string{arrowanswer.Row, arrowanswer.Error} {
		if _, is := p.Typed[name]; is {
			return nil, fmt.Errorf("%q cannot be one of its columns in Arrow: it is the protocol's", name)
		}
	}
	a := &arrows{typed: p.Typed}
	for _, c := range p.reads {
		a.columns = append(a.columns, columnOf(c))
	}
	if p.html {
		a.columns = append(a.columns, textColumn(readHTML))
	}
	if p.body {
		a.columns = append(a.columns, arrowColumn{nullable(readBody, arrow.BinaryTypes.Binary), putBytes})
	}
	fields := []arrow.Field{{Name: arrowanswer.Row, Type: arrow.PrimitiveTypes.Int64}}
	for _, c := range a.columns {
		fields = append(fields, c.Field)
	}
	a.schema = arrow.NewSchema(fields, nil)
	payload := ipc.GetSchemaPayload(a.schema, memory.DefaultAllocator)
	defer payload.Release()
	var head bytes.Buffer
	_, err := payload.WritePayload(&head)
	a.head = head.Bytes()
	return a, err
}

func nullable(name string, of arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: of, Nullable: true}
}

func textColumn(name string) arrowColumn {
	return arrowColumn{nullable(name, arrow.BinaryTypes.String), func(to array.Builder, value any) error {
		text, is := value.(string)
		if !is { // another type of the same kind
			text = plainValue(value).String()
		}
		to.(*array.StringBuilder).Append(validText(text))
		return nil
	}}
}

func putBytes(to array.Builder, value any) error {
	to.(*array.BinaryBuilder).Append(value.([]byte))
	return nil
}

// columnOf returns the form of a column: a number, a boolean, a time, a text or a list of texts. All others
// are texts, as JSON.
func columnOf(c schemas.Column) arrowColumn {
	of := c.Type
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch kind := of.Kind(); {
	case c.Time == schemas.Moment:
		moment := &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
		return arrowColumn{nullable(c.Name, moment), putMoment}
	case kind == reflect.String:
		return textColumn(c.Name)
	case kind == reflect.Bool:
		return arrowColumn{nullable(c.Name, arrow.FixedWidthTypes.Boolean), func(to array.Builder, value any) error {
			to.(*array.BooleanBuilder).Append(plainValue(value).Bool())
			return nil
		}}
	case kind == reflect.Float64:
		return arrowColumn{nullable(c.Name, arrow.PrimitiveTypes.Float64), func(to array.Builder, value any) error {
			to.(*array.Float64Builder).Append(plainValue(value).Float())
			return nil
		}}
	case kind == reflect.Int || kind == reflect.Int64:
		return arrowColumn{nullable(c.Name, arrow.PrimitiveTypes.Int64), func(to array.Builder, value any) error {
			to.(*array.Int64Builder).Append(plainValue(value).Int())
			return nil
		}}
	case kind == reflect.Slice && of.Elem().Kind() == reflect.String:
		return arrowColumn{nullable(c.Name, arrow.ListOf(arrow.BinaryTypes.String)), putTexts}
	}
	return arrowColumn{nullable(c.Name, arrow.BinaryTypes.String), putJSON}
}

// plainValue returns a value, or what it points to.
func plainValue(value any) reflect.Value { return reflect.Indirect(reflect.ValueOf(value)) }

// putMoment appends a time. One that cannot be read is null.
func putMoment(to array.Builder, value any) error {
	if t, err := time.Parse(time.RFC3339, plainValue(value).String()); err == nil {
		to.(*array.TimestampBuilder).Append(arrow.Timestamp(t.UnixMicro()))
	} else {
		to.AppendNull()
	}
	return nil
}

func putTexts(to array.Builder, value any) error {
	b := to.(*array.ListBuilder)
	b.Append(true)
	for list, i := plainValue(value), 0; i < list.Len(); i++ {
		b.ValueBuilder().(*array.StringBuilder).Append(validText(list.Index(i).String()))
	}
	return nil
}

func putJSON(to array.Builder, value any) error {
	text, err := json.Marshal(value)
	to.(*array.StringBuilder).Append(string(text))
	return err
}

func (a *arrows) batch() batch { return &arrowBatch{of: a} }

// read reads a record batch.
func (a *arrows) read(c *process, r request) (reply, error) {
	if c.values == nil {
		c.values = arrowanswer.NewReader(c.out, a.typed)
	}
	list, err := c.values.Next(r.row, r.n, longest(r.n))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return reply{}, errEnded
	case err != nil:
		c.kill() // it may write for ever
		return reply{err: err, astray: true}, nil
	}
	return reply{list: list}, nil
}

// arrowBatch is documents that are not written yet.
type arrowBatch struct {
	of        *arrows
	documents [][]field
	weights   []int // of documents, in bytes of texts
	weight    int
	out       bytes.Buffer
}

func (b *arrowBatch) add(fields []field) error {
	weight := 0
	for _, f := range fields {
		switch v := f.value.(type) {
		case string:
			weight += len(v)
		case []byte:
			weight += len(v)
		default:
			weight += 64
		}
	}
	b.documents, b.weights = append(b.documents, fields), append(b.weights, weight)
	b.weight += weight
	return nil
}

func (b *arrowBatch) size() int { return b.weight }

func (b *arrowBatch) drop(n int) {
	for _, weight := range b.weights[:n] {
		b.weight -= weight
	}
	kept := copy(b.documents, b.documents[n:])
	clear(b.documents[kept:]) // for the garbage collector
	b.documents = b.documents[:kept]
	b.weights = append(b.weights[:0], b.weights[n:]...)
}

// reserve makes room for the texts of documents, so that they are copied once.
func (b *arrowBatch) reserve(to *array.RecordBuilder, i, j int) {
	to.Reserve(j - i)
	for place, c := range b.of.columns {
		texts, is := to.Field(place + 1).(*array.StringBuilder)
		if !is {
			continue
		}
		size := 0
		for _, fields := range b.documents[i:j] {
			for _, f := range fields {
				if s, is := f.value.(string); is && f.name == c.Name {
					size += len(s)
				}
			}
		}
		texts.ReserveData(size)
	}
}

func (b *arrowBatch) request(i, j int) (request, error) {
	n := j - i
	r := request{n: n, row: b.of.rows.Add(int64(n)) - int64(n), head: b.of.head}
	to := array.NewRecordBuilder(memory.DefaultAllocator, b.of.schema)
	defer to.Release()
	b.reserve(to, i, j)
	for k, fields := range b.documents[i:j] {
		to.Field(0).(*array.Int64Builder).Append(r.row + int64(k))
		for place, c := range b.of.columns {
			if len(fields) == 0 || fields[0].name != c.Name { // the document does not have it
				to.Field(place + 1).AppendNull()
				continue
			}
			if err := c.put(to.Field(place+1), fields[0].value); err != nil {
				return r, err
			}
			fields = fields[1:]
		}
	}
	record := to.NewRecordBatch()
	defer record.Release()
	payload, err := ipc.GetRecordBatchPayload(record)
	if err != nil {
		return r, err
	}
	defer payload.Release()
	b.out.Reset()
	_, err = payload.WritePayload(&b.out)
	r.bytes = b.out.Bytes()
	return r, err
}
