package arrowanswer

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/gleaner-web/gleaner/schemas"
)

var typed = map[string]schemas.ValueType{
	"s": schemas.TypeText, "i": schemas.TypeInteger, "f": schemas.TypeFloat, "b": schemas.TypeBoolean,
	"t": schemas.TypeTime,
}

var rowField = arrow.Field{Name: Row, Type: arrow.PrimitiveTypes.Int64}

// stream returns a stream with rows 7 to 9, and a column with the values of a JSON list.
func stream(t testing.TB, column string, of arrow.DataType, values string, options ...ipc.Option) []byte {
	t.Helper()
	a, _, err := array.FromJSON(memory.DefaultAllocator, of, strings.NewReader(values))
	if err != nil {
		t.Fatal(err)
	}
	rows, _, err := array.FromJSON(memory.DefaultAllocator, rowField.Type, strings.NewReader("[7, 8, 9]"))
	if err != nil {
		t.Fatal(err)
	}
	fields := []arrow.Field{rowField, {Name: column, Type: of, Nullable: true}}
	return written(t, fields, []arrow.Array{rows, a}, options...)
}

func written(t testing.TB, fields []arrow.Field, columns []arrow.Array, options ...ipc.Option) []byte {
	t.Helper()
	schema := arrow.NewSchema(fields, nil)
	var out bytes.Buffer
	w := ipc.NewWriter(&out, append(options, ipc.WithSchema(schema))...)
	if err := w.Write(array.NewRecordBatch(schema, columns, int64(columns[0].Len()))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func reader(b []byte) *Reader { return NewReader(bufio.NewReader(bytes.NewReader(b)), typed) }

// TestReader_types: values are as arrow-go has written them.
func TestReader_types(t *testing.T) {
	const midnight = "[2026-11-30T00:00:00Z]"
	moment := func(unit arrow.TimeUnit) arrow.DataType { return &arrow.TimestampType{Unit: unit, TimeZone: "UTC"} }
	for _, tt := range []struct {
		column string
		of     arrow.DataType
		values string // in JSON
		want   string
	}{
		{"s", arrow.BinaryTypes.String, `["a", null, "é b"]`, "[a] [] [é b]"},
		{"s", arrow.BinaryTypes.LargeString, `["", "b", "c"]`, "[] [b] [c]"},
		{"s", arrow.Null, `[null, null, null]`, "[] [] []"},
		{"s", arrow.ListOf(arrow.BinaryTypes.String), `[["a", null, "b"], [], null]`, "[a b] [] []"},
		{"s", arrow.ListOf(arrow.Null), `[[null], [], null]`, "[] [] []"},
		{"i", arrow.LargeListOf(arrow.PrimitiveTypes.Int16), `[[-1, 2], null, [3]]`, "[-1 2] [] [3]"},
		{
			"i", arrow.PrimitiveTypes.Int64, `[-9223372036854775808, null, 9007199254740993]`,
			"[-9223372036854775808] [] [9007199254740993]",
		},
		{"i", arrow.PrimitiveTypes.Int32, `[-5, 0, 5]`, "[-5] [0] [5]"},
		{"i", arrow.PrimitiveTypes.Int8, `[-128, 0, 127]`, "[-128] [0] [127]"},
		{"i", arrow.PrimitiveTypes.Uint8, `[255, 0, 127]`, "[255] [0] [127]"},
		{"i", arrow.PrimitiveTypes.Uint64, `[18446744073709551615, 0, 1]`, "[18446744073709551615] [0] [1]"},
		{"f", arrow.PrimitiveTypes.Float64, `[0.1, -2.5, null]`, "[0.1] [-2.5] []"},
		{"f", arrow.PrimitiveTypes.Float32, `[0.5, 0.1, 3]`, "[0.5] [0.10000000149011612] [3]"},
		{"f", arrow.PrimitiveTypes.Uint16, `[1, 2, 3]`, "[1] [2] [3]"},
		{"b", arrow.FixedWidthTypes.Boolean, `[true, false, null]`, "[true] [false] []"},
		{"t", arrow.FixedWidthTypes.Date32, `["2026-11-30", "1900-01-01", null]`, midnight + " [1900-01-01T00:00:00Z] []"},
		{"t", arrow.FixedWidthTypes.Date64, `["2026-11-30", null, null]`, midnight + " [] []"},
		{"t", moment(arrow.Second), `["2026-11-30T01:02:03Z", null, null]`, "[2026-11-30T01:02:03Z] [] []"},
		{"t", moment(arrow.Millisecond), `["1900-11-30T01:02:03.4Z", null, null]`, "[1900-11-30T01:02:03.4Z] [] []"},
		{"t", moment(arrow.Microsecond), `["2026-11-30T01:02:03.4567Z", null, null]`, "[2026-11-30T01:02:03.4567Z] [] []"},
		{
			"t", moment(arrow.Nanosecond), `["1969-11-30T01:02:03.0000001Z", null, null]`,
			"[1969-11-30T01:02:03.0000001Z] [] []",
		},
	} {
		list, err := reader(stream(t, tt.column, tt.of, tt.values)).Next(7, 3, 1<<20)
		if err != nil {
			t.Errorf("%s: %v", tt.of, err)
			continue
		}
		got := make([]string, len(list))
		for i, v := range list {
			got[i] = fmt.Sprint(v.ByColumn[tt.column])
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.of, got, tt.want)
		}
	}
}

// TestReader_rewinds: no bytes of an answer become the values of two documents, which would take any memory.
func TestReader_rewinds(t *testing.T) {
	offsets := func(at ...uint32) (b []byte) {
		for _, x := range at {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
		return b
	}
	for column, of := range map[string]arrow.DataType{
		"s": arrow.BinaryTypes.String, Error: arrow.BinaryTypes.String, "i": arrow.ListOf(arrow.PrimitiveTypes.Int64),
	} {
		values := `["abc", null, "abc"]`
		if column == "i" {
			values = `[[1, 2, 3], null, [1, 2, 3]]`
		}
		sound := stream(t, column, of, values)
		for _, at := range [][]byte{offsets(0, 6, 0, 6), offsets(0, 6, 3, 6), offsets(3, 0, 0, 6), offsets(0, 3, 3, 2)} {
			b := bytes.Replace(sound, offsets(0, 3, 3, 6), at, 1)
			if bytes.Equal(b, sound) {
				t.Fatalf("%s: no offsets to change", column)
			}
			if _, err := reader(b).Next(7, 3, 1<<20); !errors.Is(err, errOffset) {
				t.Errorf("%s, offsets %v: %v", column, at, err)
			}
		}
	}
	sound := stream(t, "s", arrow.BinaryTypes.String, `["abc", null, "d"]`)
	b := bytes.Replace(sound, []byte("abc"), []byte("a\xff\xfe"), 1)
	list, err := reader(b).Next(7, 3, 1<<20)
	if err != nil || list[0].ByColumn["s"][0] != "a\uFFFD\uFFFD" {
		t.Errorf("a text that is not UTF-8: %q, %v", list, err)
	}
}

func TestReader_refuses(t *testing.T) {
	texts := stream(t, "s", arrow.BinaryTypes.String, `["a", "b", "c"]`)
	rows, _, err := array.FromJSON(memory.DefaultAllocator, rowField.Type, strings.NewReader("[7, 8, 9]"))
	if err != nil {
		t.Fatal(err)
	}
	flags := "[[" + strings.Repeat("true,", maxValues) + "true],[],[]]"
	many := stream(t, "b", arrow.ListOf(arrow.FixedWidthTypes.Boolean), flags)
	long := stream(t, "s", arrow.BinaryTypes.String, `["a", "b", "`+strings.Repeat("c", 1<<20)+`"]`)
	other := stream(t, "x", arrow.BinaryTypes.String, `["a", "b", "c"]`)
	lists := stream(t, "i", arrow.ListOf(arrow.ListOf(rowField.Type)), `[[[1]], null, []]`)
	for _, tt := range []struct {
		name  string
		bytes []byte
		want  string
	}{
		{"end", nil, "unexpected EOF"},
		{"half", texts[:len(texts)-9], "unexpected EOF"},
		{"text", []byte("hello world"), `not an Arrow stream: "hello world"`},
		{"closed", []byte("\xff\xff\xff\xff\x00\x00\x00\x00"), "has closed its Arrow stream"},
		{"huge", []byte("\xff\xff\xff\xff\xff\xff\xff\xff"), "longer than 262144 bytes"},
		{"zeros", []byte("\xff\xff\xff\xff\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), "its schema is missing"},
		{"far root", []byte("\xff\xff\xff\xff\x08\x00\x00\x00\xff\xff\xff\x7f\x00\x00\x00\x00"), "metadata are damaged"},
		{"no schema", texts[bytes.LastIndex(texts, []byte("\xff\xff\xff\xff")):], "its schema is missing"},
		{"other column", other, `"x" is none of its columns, b, f, i, s, t`},
		{"same column", stream(t, Row, rowField.Type, `[7, 8, 9]`), `two columns "row"`},
		{"error of numbers", stream(t, Error, rowField.Type, `[7, 8, 9]`), "error: Arrow's type int"},
		{"no row", written(t, []arrow.Field{{Name: "i", Type: rowField.Type}}, []arrow.Array{rows}), `no column "row"`},
		{"number", stream(t, "s", rowField.Type, `[7, 8, 9]`), "s: Arrow's type int is not that of the column"},
		{"half float", stream(t, "f", arrow.FixedWidthTypes.Float16, `[7, 8, 9]`), "f: Arrow's type halffloat"},
		{"list of lists", lists, "i: Arrow's type list"},
		{"struct", stream(t, "s", arrow.StructOf(rowField), `[{"row": 1}, null, null]`), "s: Arrow's type struct"},
		{"compressed", stream(t, "s", arrow.BinaryTypes.String, `["a", "b", "c"]`, ipc.WithZstd()), "compressed"},
		{"many values", many, "more than 1048576 values"},
		{"long", long, "longer than 1048576 bytes"},
	} {
		if _, err := reader(tt.bytes).Next(7, 3, 1<<20); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	for want, of := range map[string][2]int64{"rows are others": {6, 3}, "3 rows for 2": {7, 2}, "3 rows for 4": {7, 4}} {
		if _, err := reader(texts).Next(of[0], int(of[1]), 1<<20); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", of, err, want)
		}
	}
}

// TestReader_errors: a document with an error has no values, and others have theirs. The stream goes on.
func TestReader_errors(t *testing.T) {
	b := stream(t, Error, arrow.BinaryTypes.String, `[null, "odd", null]`)
	r := reader(slices.Concat(b, b[bytes.LastIndex(b, []byte("\xff\xff\xff\xff")):]))
	for range 2 {
		list, err := r.Next(7, 3, 1<<20)
		if err != nil || list[0].Err != nil || fmt.Sprint(list[1].Err) != "odd" || list[2].Err != nil {
			t.Fatal(list, err)
		}
	}
	if _, err := r.Next(10, 3, 1<<20); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// TestReader_damage: with any byte changed, the answer is read or refused without a panic. A cut answer is refused.
func TestReader_damage(t *testing.T) {
	b := stream(t, "s", arrow.ListOf(arrow.BinaryTypes.String), `[["a", null, "b"], ["cd"], null]`)
	for i := range b {
		for _, c := range []byte{0, 1, 0x7f, 0x80, 0xff, b[i] + 1, b[i] - 8} {
			damaged := bytes.Clone(b)
			damaged[i] = c
			_, _ = reader(damaged).Next(7, 3, 1<<20) // either is right
		}
		if _, err := reader(b[:i]).Next(7, 3, 1<<20); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("of %d bytes: %v", i, err)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add(stream(f, "s", arrow.ListOf(arrow.BinaryTypes.String), `[["a", null, "b"], ["cd"], null]`))
	f.Add(stream(f, "s", arrow.BinaryTypes.LargeString, `["a", null, "b"]`))
	f.Add(stream(f, "i", arrow.PrimitiveTypes.Int16, `[1, null, 2]`))
	f.Add(stream(f, "f", arrow.PrimitiveTypes.Float32, `[1, null, 2]`))
	f.Add(stream(f, "b", arrow.LargeListOf(arrow.FixedWidthTypes.Boolean), `[[true], null, [false, true]]`))
	f.Add(stream(f, "t", arrow.FixedWidthTypes.Timestamp_ms, `["2026-11-30T01:02:03Z", null, null]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := reader(b).Next(7, 3, 1<<16)
		if (err == nil) != (len(list) == 3) {
			t.Fatal(list, err)
		}
		for _, v := range list {
			for column := range v.ByColumn {
				if typed[column] == "" {
					t.Fatal(column)
				}
			}
		}
	})
}

func BenchmarkReader(b *testing.B) {
	to := array.NewInt64Builder(memory.DefaultAllocator)
	rows := array.NewInt64Builder(memory.DefaultAllocator)
	for i := range int64(64) {
		to.Append(math.MaxInt32 + i)
		rows.Append(i)
	}
	fields := []arrow.Field{rowField, {Name: "i", Type: rowField.Type}}
	bytes := written(b, fields, []arrow.Array{rows.NewArray(), to.NewArray()})
	b.SetBytes(int64(len(bytes)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := reader(bytes).Next(0, 64, 1<<20); err != nil {
			b.Fatal(err)
		}
	}
}
