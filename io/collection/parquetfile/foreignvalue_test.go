package parquetfile_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"

	"github.com/gleaner-web/gleaner/schemas"
)

// cellFile is a file of a row with a URL for each value, which is of the column.
func cellFile(t *testing.T, column string, node parquet.Node, values ...parquet.Value) []byte {
	t.Helper()
	var rows []parquet.Row
	for _, v := range values {
		level := 1
		if v.IsNull() {
			level = 0
		}
		rows = append(rows, parquet.Row{v.Level(0, level, 0), parquet.ValueOf("http://a.example/").Level(0, 0, 1)})
	}
	return rowsFile(t, parquet.Group{column: parquet.Optional(node), "url": parquet.String()}, rows)
}

// TestRead_foreignTexts: values of other types become the texts that people write for them.
func TestRead_foreignTexts(t *testing.T) {
	at := time.Date(2020, 1, 1, 12, 0, 0, 500_000_000, time.UTC)
	number := parquet.Int64Value
	fixed := func(n int) parquet.Type { return parquet.FixedLenByteArrayType(n) }
	for _, tt := range []struct {
		name  string
		node  parquet.Node
		value parquet.Value
		want  string
	}{
		{"decimal of 32 bits", parquet.Decimal(1, 2, parquet.Int32Type), parquet.Int32Value(15), "1.5"},
		{"decimal of 64 bits", parquet.Decimal(3, 18, parquet.Int64Type), number(-5), "-0.005"},
		{"whole decimal", parquet.Decimal(0, 5, parquet.Int32Type), parquet.Int32Value(-200), "-200"},
		{
			"decimal of bytes", parquet.Decimal(1, 5, fixed(3)), parquet.FixedLenByteArrayValue([]byte("\x00\x07\xd5")),
			"200.5",
		},
		{"below 0", parquet.Decimal(2, 5, fixed(2)), parquet.FixedLenByteArrayValue([]byte("\xff\x6a")), "-1.50"},
		{"decimal of some bytes", parquet.Decimal(2, 5, parquet.ByteArrayType), parquet.ByteArrayValue([]byte{7}), "0.07"},
		{"milliseconds", parquet.Timestamp(parquet.Millisecond), number(at.UnixMilli()), "2020-01-01T12:00:00.5Z"},
		{
			"microseconds of no zone", parquet.TimestampAdjusted(parquet.Microsecond, false), number(at.UnixMicro()),
			"2020-01-01T12:00:00.5Z",
		},
		{"nanoseconds", parquet.Timestamp(parquet.Nanosecond), number(at.UnixNano()), "2020-01-01T12:00:00.5Z"},
		{
			"Spark", parquet.Leaf(parquet.Int96Type), parquet.Int96Value(deprecated.Int96{5e8, 0, 2440588}),
			"1970-01-01T00:00:00.5Z",
		},
		{"day", parquet.Date(), parquet.Int32Value(2932896), "9999-12-31"},
		{"time", parquet.Time(parquet.Millisecond), parquet.Int32Value(3723500), "01:02:03.5"},
		{"time in nanoseconds", parquet.Time(parquet.Nanosecond), number(3723500000000), "01:02:03.5"},
		{"two bytes", parquet.Leaf(fixed(2)), parquet.FixedLenByteArrayValue([]byte("en")), "en"},
		{
			"UUID", parquet.UUID(), parquet.FixedLenByteArrayValue([]byte("0123456789abcdef")),
			"30313233-3435-3637-3839-616263646566",
		},
		{"integer", parquet.Int(32), parquet.Int32Value(-7), "-7"},
		{"integer without sign", parquet.Uint(32), parquet.Int32Value(-1), "4294967295"},
		{"long integer without sign", parquet.Uint(64), number(-1), "18446744073709551615"},
		{"number", parquet.Leaf(parquet.DoubleType), parquet.DoubleValue(1.5), "1.5"},
		{"short number", parquet.Leaf(parquet.FloatType), parquet.FloatValue(0.1), "0.1"},
		{"NaN", parquet.Leaf(parquet.DoubleType), parquet.DoubleValue(math.NaN()), ""},
		{"boolean", parquet.Leaf(parquet.BooleanType), parquet.BooleanValue(true), "true"},
		{"bytes", parquet.Leaf(parquet.ByteArrayType), parquet.ByteArrayValue([]byte("en")), "en"},
	} {
		docs, err := documents(cellFile(t, "language", tt.node, tt.value, parquet.NullValue()))
		if err != nil || len(docs) != 2 || docs[0].Language != tt.want || docs[1].Language != "" {
			t.Errorf("%s: %+v, %v, want %q", tt.name, docs, err, tt.want)
		}
	}
}

// TestRead_foreignMapTexts: keys and values of maps, and elements of lists, are converted as other texts.
func TestRead_foreignMapTexts(t *testing.T) {
	docs, err := documents(fileOf(t, struct {
		URL    string           `parquet:"url"`
		Custom map[string]int32 `parquet:"custom" parquet-value:",decimal(1:2)"`
		Crawl  map[int32]int64  `parquet:"crawl" parquet-key:",date" parquet-value:",timestamp(millisecond)"`
		Tags   []int32          `parquet:"tags,list" parquet-element:",decimal(2:5)"`
	}{"http://a.example/", map[string]int32{"price": 15}, map[int32]int64{1: 1000}, []int32{150}}))
	want := []*schemas.Document{{
		URL: "http://a.example/", Custom: map[string][]string{"price": {"1.5"}}, Tags: []string{"1.50"},
		Crawl: map[string]string{"1970-01-02": "1970-01-01T00:00:01Z"},
	}}
	if diff := cmp.Diff(want, docs); err != nil || diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

// TestRead_foreignFarDates: dates that 64 bits of nanoseconds cannot hold are these dates.
func TestRead_foreignFarDates(t *testing.T) {
	for _, day := range []string{"9999-12-31", "1066-10-14", "2262-04-12", "1677-09-20", "2026-11-30"} {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		milli, micro := parquet.Int64Value(at.UnixMilli()), parquet.Int64Value(at.UnixMicro())
		for _, c := range []string{"timestamp", "published", "modified"} {
			for _, file := range [][]byte{
				cellFile(t, c, parquet.Date(), parquet.Int32Value(int32(at.Unix()/(24*3600))), parquet.NullValue()),
				cellFile(t, c, parquet.Timestamp(parquet.Millisecond), milli, parquet.NullValue()),
				cellFile(t, c, parquet.TimestampAdjusted(parquet.Millisecond, false), milli, parquet.NullValue()),
				cellFile(t, c, parquet.Timestamp(parquet.Microsecond), micro, parquet.NullValue()),
				cellFile(t, c, parquet.TimestampAdjusted(parquet.Microsecond, false), micro, parquet.NullValue()),
			} {
				docs, err := documents(file)
				if err != nil || len(docs) != 2 {
					t.Fatal(docs, err)
				}
				d := map[string]string{
					"timestamp": docs[0].Timestamp, "published": docs[0].Published, "modified": docs[0].Modified,
				}
				if d[c] != day+"T00:00:00Z" || docs[1].Timestamp+docs[1].Published+docs[1].Modified != "" {
					t.Errorf("%s %s is %s, without one %+v", c, day, d[c], docs[1])
				}
			}
		}
	}
}

// TestRead_foreignNumbers: numbers of other types are the same numbers, missing, or an error.
func TestRead_foreignNumbers(t *testing.T) {
	double, text, long := parquet.Leaf(parquet.DoubleType), parquet.String(), parquet.Uint(64)
	const wrong = -1
	for _, tt := range []struct {
		node  parquet.Node
		value parquet.Value
		want  int64
	}{
		{double, parquet.DoubleValue(200), 200},
		{double, parquet.DoubleValue(math.NaN()), 0},
		{double, parquet.DoubleValue(200.7), wrong},
		{double, parquet.DoubleValue(1e30), wrong},
		{double, parquet.DoubleValue(1 << 63), wrong},
		{double, parquet.DoubleValue(math.Inf(-1)), wrong},
		{parquet.Leaf(parquet.FloatType), parquet.FloatValue(404), 404},
		{parquet.Leaf(parquet.FloatType), parquet.FloatValue(.5), wrong},
		{parquet.Leaf(parquet.FloatType), parquet.FloatValue(float32(math.NaN())), 0},
		{long, parquet.Int64Value(5), 5},
		{long, parquet.Int64Value(math.MaxInt64), math.MaxInt64},
		{long, parquet.Int64Value(math.MinInt64 + 5), wrong},
		{parquet.Uint(32), parquet.Int32Value(-1), math.MaxUint32},
		{parquet.Int(8), parquet.Int32Value(100), 100},
		{text, parquet.ValueOf("200"), 200},
		{text, parquet.ValueOf(""), 0},
		{text, parquet.ValueOf("n/a"), wrong},
		{text, parquet.ValueOf("200.7"), wrong},
		{parquet.Leaf(parquet.ByteArrayType), parquet.ByteArrayValue([]byte("200")), 200},
		{parquet.Leaf(parquet.BooleanType), parquet.BooleanValue(true), 1},
	} {
		docs, err := documents(cellFile(t, "length", tt.node, parquet.NullValue(), tt.value))
		switch {
		case tt.want == wrong:
			if err == nil || !strings.Contains(err.Error(), "the column length has ") || len(docs) != 1 {
				t.Errorf("%v: %+v, %v, want an error", tt.value, docs, err)
			}
		case err != nil || len(docs) != 2 || docs[0].Length != 0 || docs[1].Length != tt.want:
			t.Errorf("%v: %+v, %v, want %d", tt.value, docs, err, tt.want)
		}
	}
}

// TestRead_foreignTimesForNumbers: times, decimals and plain bytes are not numbers.
func TestRead_foreignTimesForNumbers(t *testing.T) {
	for _, node := range []parquet.Node{
		parquet.Timestamp(parquet.Millisecond), parquet.Date(), parquet.Time(parquet.Microsecond), parquet.UUID(),
		parquet.Leaf(parquet.Int96Type), parquet.Decimal(0, 5, parquet.Int32Type),
	} {
		for _, c := range []string{"status", "damaged"} {
			if _, err := documents(cellFile(t, c, node, parquet.NullValue())); err == nil ||
				!strings.Contains(err.Error(), "the column "+c+" is ") {
				t.Errorf("%v for %s: %v, want an error", node, c, err)
			}
		}
	}
}

// TestRead_foreignMissing: nulls and NaN in lists and maps are not elements.
func TestRead_foreignMissing(t *testing.T) {
	type (
		text struct {
			Element *string `parquet:"element,optional"`
		}
		texts struct {
			List []text `parquet:"list"`
		}
		float struct {
			Element *float64 `parquet:"element,optional"`
		}
		floats struct {
			List []float `parquet:"list"`
		}
		integer struct {
			Element *float64 `parquet:"element,optional"`
		}
		whole struct {
			List []integer `parquet:"list"`
		}
	)
	a, n, two, none := "a", 1.5, 2., math.NaN()
	score := struct {
		Score *float64 `parquet:"score,optional"`
	}{&none}
	docs, err := documents(fileOf(t, struct {
		URL      string             `parquet:"url"`
		Authors  texts              `parquet:"authors"`
		Entities *elements          `parquet:"entities,optional"`
		Crawl    map[string]*string `parquet:"crawl"`
		Floats   map[string]*floats `parquet:"custom_floats"`
		Integers map[string]*whole  `parquet:"custom_integers"`
		Trust    map[string]float64 `parquet:"metadata_confidence"`
		Feeling  struct {
			Score *float64 `parquet:"score,optional"`
		} `parquet:"sentiment"`
	}{
		URL: "http://a.example/", Authors: texts{[]text{{&a}, {nil}, {&a}, {new("")}}},
		Entities: &elements{[]element{{nil}, {&named{Text: &a}}, {nil}}},
		Crawl:    map[string]*string{"k": nil, "l": &a},
		Floats:   map[string]*floats{"k": {[]float{{&n}, {nil}, {&none}, {&two}}}},
		Integers: map[string]*whole{"k": {[]integer{{nil}, {&none}, {&two}}}},
		Trust:    map[string]float64{"title": .5, "text": none},
		Feeling:  score,
	}))
	want := []*schemas.Document{{
		URL: "http://a.example/", Authors: []string{a, a, ""}, Entities: []schemas.Entity{{Text: a}},
		Crawl: map[string]string{"l": a}, CustomFloats: map[string][]schemas.Float{"k": {1.5, 2}},
		CustomIntegers: map[string][]int64{"k": {2}}, MetaConfidence: map[string]schemas.Float{"title": .5},
		Sentiment: &schemas.Sentiment{},
	}}
	if diff := cmp.Diff(want, docs, cmpopts.EquateEmpty()); err != nil || diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}
