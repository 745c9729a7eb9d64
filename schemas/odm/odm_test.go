package odm

import (
	"bytes"
	"errors"
	"math"
	"testing"
	"time"
)

// TestType_asJavaDoes: the bytes are those of org.apache.hadoop.hbase.util.Bytes.toBytes.
func TestType_asJavaDoes(t *testing.T) {
	for _, test := range []struct {
		t     Type
		value any
		want  string
	}{
		{Bytes, []byte("\x00\xff"), "\x00\xff"},
		{String, "é\x00", "\xc3\xa9\x00"},
		{Long, int64(-2), "\xff\xff\xff\xff\xff\xff\xff\xfe"},
		{Integer, int32(258), "\x00\x00\x01\x02"},
		{Short, int16(-1), "\xff\xff"},
		{Double, 1.5, "\x3f\xf8\x00\x00\x00\x00\x00\x00"},
		{Float, float32(-2), "\xc0\x00\x00\x00"},
		{Boolean, true, "\xff"},
		{Boolean, false, "\x00"},
	} {
		b, err := test.t.Encode(test.value)
		if err != nil || string(b) != test.want {
			t.Errorf("%v of %v: %x, %v, want %x", test.t, test.value, b, err, test.want)
		}
		back, err := test.t.Decode(b)
		if err != nil || test.t != Bytes && back != test.value {
			t.Errorf("%v: %v is read back as %v, %v", test.t, test.value, back, err)
		}
		if other := Type(int(test.t)%int(Boolean) + 1); other != test.t {
			if _, err := other.Encode(test.value); !errors.Is(err, ErrValue) {
				t.Errorf("%v takes %T: %v", other, test.value, err)
			}
		}
	}
}

func TestRowVersion_columns(t *testing.T) {
	var s RowSchema
	s.AddColumn("n", "f", Long)
	r := Row[string, struct{ *RowVersion }]{schema: &s}
	old := r.CreateRowVersion(time.UnixMilli(1))
	v := r.CreateRowVersion(time.Unix(0, 2_999_999))
	if r.CreateRowVersion(time.UnixMilli(2)) != v || len(r.Versions) != 2 || r.Versions[1] != old {
		t.Errorf("versions: %v", r.Versions)
	}
	if err := v.SetQualifierValue("f", "n", int64(7)); err != nil || Get[int64](v.RowVersion, "f", "n") != 7 {
		t.Errorf("%v, %v", err, Get[int64](v.RowVersion, "f", "n"))
	}
	if err := v.SetQualifierValue("f", "n", "7"); !errors.Is(err, ErrValue) {
		t.Errorf("a text for a number: %v", err)
	}
	if err := v.SetQualifierValue("f", "none", int64(7)); err == nil {
		t.Error("a column that there is not was set")
	}
	if x, err := old.QualifierValue("f", "n"); x != nil || err != nil {
		t.Errorf("a column without a value: %v, %v", x, err)
	}
	if Get[string](v.RowVersion, "f", "n") != "" {
		t.Error("a number as a text")
	}
}

func FuzzType(f *testing.F) {
	f.Add(uint8(Long), []byte("12345678"))
	f.Add(uint8(Boolean), []byte{7})
	f.Add(uint8(99), []byte{})
	f.Fuzz(func(t *testing.T, kind uint8, b []byte) {
		v, err := Type(kind).Decode(b)
		if err != nil || Type(kind) == Boolean {
			return
		}
		if x, ok := v.(float32); ok && math.IsNaN(float64(x)) {
			return // the bits of a NaN may change on the way
		}
		if back, err := Type(kind).Encode(v); err != nil || !bytes.Equal(back, b) {
			t.Errorf("%v: %x is written back as %x, %v", Type(kind), b, back, err)
		}
	})
}
