package packed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"
)

func TestUnpack_isWhatWasPacked(t *testing.T) {
	random := make([]byte, 1<<20)
	for i := 0; i < len(random); i += 8 {
		binary.LittleEndian.PutUint64(random[i:], rand.Uint64())
	}
	for name, table := range map[string][]byte{
		"empty": {}, "one": {7}, "text": bytes.Repeat([]byte("word\t1\n"), 100_000), "random": random,
	} {
		t.Run(name, func(t *testing.T) {
			file, err := Pack(table)
			if err != nil {
				t.Fatal(err)
			}
			again, err := Pack(table)
			if err != nil || !bytes.Equal(file, again) {
				t.Errorf("Pack gives two files of one table: %v", err)
			}
			if got, err := Unpack(file); err != nil || !bytes.Equal(got, table) {
				t.Errorf("Unpack gives %d bytes and %v, want the %d that were packed", len(got), err, len(table))
			}
			if len(table) > 0 {
				if _, err := Unpack(file[:len(file)-1]); !errors.Is(err, ErrFormat) {
					t.Errorf("Unpack of a truncated file gives %v, want ErrFormat", err)
				}
			}
		})
	}
	if _, err := Pack(make([]byte, MaxBytes+1)); err == nil {
		t.Error("Pack takes a table that Unpack would refuse")
	}
}

func FuzzUnpack(f *testing.F) {
	file, err := Pack([]byte("a table of words, a table of words"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Add([]byte("not packed"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if table, err := Unpack(file); err == nil && len(table) > MaxBytes {
			t.Errorf("%d bytes came out", len(table))
		}
	})
}

// BenchmarkUnpack measures what the first use of a table costs.
func BenchmarkUnpack(b *testing.B) {
	table := make([]byte, 1<<20)
	for i := range table {
		table[i] = byte(rand.ExpFloat64() * 20)
	}
	file, err := Pack(table)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(table)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Unpack(file); err != nil {
			b.Fatal(err)
		}
	}
}
