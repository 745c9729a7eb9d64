package odm

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"
)

// tableOf is a table in memory; package io/rowstore/memory has a whole one, and may not be imported here.
type tableOf map[string][]Cell

func (t tableOf) UseTable(context.Context, string) (Store, error) { return t, nil }

func (t tableOf) CreateTable(context.Context, string, []string) (Store, error) { return t, nil }

func (t tableOf) PutCells(_ context.Context, row Cells) error {
	t[row.Key] = append(t[row.Key], row.Cells...)
	return nil
}

func (t tableOf) DeleteCells(_ context.Context, key string, till time.Time) error {
	t[key] = slices.DeleteFunc(t[key], func(c Cell) bool { return till.IsZero() || c.Time.Before(till) })
	return nil
}

func (t tableOf) ScanCells(_ context.Context, from, to string, _, _ time.Time) iter.Seq2[Cells, error] {
	return func(yield func(Cells, error) bool) {
		for key, cells := range t {
			if key >= from && (to == "" || key < to) && len(cells) > 0 && !yield(Cells{key, cells}, nil) {
				return
			}
		}
	}
}

type named string

// testKey puts, gets, lists and deletes a row with a key, and takes it to bytes and back.
func testKey[K Key](t *testing.T, key K, want string) {
	t.Helper()
	ctx, table := t.Context(), tableOf{}
	c := NewCollection[K, struct{ *RowVersion }](table, func(s *RowSchema) { s.AddColumn("q", "f", String) })
	if err := c.UseTable(ctx, "t"); err != nil {
		t.Fatal(err)
	}
	row := c.NewRow(key)
	for i := range int64(2) {
		if err := row.CreateRowVersion(time.UnixMilli(i)).SetQualifierValue("f", "q", "x"); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Put(ctx, row); err != nil || table[want] == nil {
		t.Errorf("%v: %v, keys of the table %q, want %q", key, err, table, want)
	}
	b, err := row.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var back Row[K, struct{ *RowVersion }]
	if err := back.UnmarshalBinary(b); err != nil || keyText(back.Key) != want || len(back.Versions) != 2 {
		t.Errorf("%v: read again as %v, %v", key, back, err)
	}
	if again, err := back.MarshalBinary(); err != nil || !bytes.Equal(again, b) {
		t.Errorf("%v: other bytes when written again, %v", key, err)
	}
	n := 0
	for r, err := range c.All(ctx, key, *new(K)) {
		if n++; err != nil || keyText(r.Key) != want {
			t.Errorf("%v: listed as %v, %v", key, r, err)
		}
	}
	if err := c.Delete(ctx, key, time.UnixMilli(1)); err != nil || n != 1 {
		t.Errorf("%v: listed %d times, %v", key, n, err)
	}
	r, err := c.Get(ctx, key, time.Time{}, time.Time{})
	if err != nil || len(r.Versions) != 1 || r.Versions[0].Time().UnixMilli() != 1 {
		t.Errorf("%v: after the older version was deleted there is %v, %v", key, r, err)
	}
	if err := c.Delete(ctx, key, time.Time{}); err != nil || len(table[want]) > 0 {
		t.Errorf("%v: after all was deleted there is %v, %v", key, table, err)
	}
}

func TestKeys(t *testing.T) {
	testKey(t, "http://a.example/é", "http://a.example/é")
	testKey(t, named("x"), "x")
	testKey(t, []byte("\x00\xff"), "\x00\xff")
	testKey(t, int64(-2), "\xff\xff\xff\xff\xff\xff\xff\xfe")
	testKey(t, int32(258), "\x00\x00\x01\x02")
	testKey(t, int16(7), "\x00\x07")
	c := NewCollection[int64, struct{ *RowVersion }](tableOf{"abc": {{}}}, func(*RowSchema) {})
	if err := errors.Join(c.UseTable(t.Context(), "t")); err != nil {
		t.Fatal(err)
	}
	for r, err := range c.All(t.Context(), 0, 0) {
		if !errors.Is(err, ErrValue) {
			t.Errorf("a key of three bytes is the number %v, %v", r, err)
		}
	}
}

// FuzzRow: a row that was read can be written and is then read as the same row.
func FuzzRow(f *testing.F) {
	type row = Row[string, struct{ *RowVersion }]
	r := row{Key: "k", schema: &RowSchema{}}
	r.schema.AddColumn("q", "f", Long)
	if err := r.CreateRowVersion(time.UnixMilli(-5)).SetQualifierValue("f", "q", int64(3)); err != nil {
		f.Fatal(err)
	}
	b, err := r.MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add(b[:len(b)-1])
	f.Add([]byte(strings.Repeat("\x01\xff", 9)))
	f.Fuzz(func(t *testing.T, b []byte) {
		var one, two row
		if one.UnmarshalBinary(b) != nil {
			return
		}
		b1, err := one.MarshalBinary()
		if err != nil || two.UnmarshalBinary(b1) != nil {
			t.Fatalf("%x is read and not written: %v", b, err)
		}
		if b2, err := two.MarshalBinary(); err != nil || !bytes.Equal(b1, b2) {
			t.Fatalf("%x, %x: %v", b1, b2, err)
		}
	})
}
