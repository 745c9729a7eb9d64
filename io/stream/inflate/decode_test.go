package inflate

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"testing"

	"github.com/gleaner-web/gleaner/internal/guardtest"
)

// outcome is how decoding ends.
type outcome string

const (
	ends    outcome = "ends"
	corrupt outcome = "corrupt"
	short   outcome = "short" // more input is wanted
)

// oracle decodes src with compress/flate. It returns at most limit bytes, and used only when the stream ends.
func oracle(t testing.TB, src []byte, limit int64) (out []byte, used int, end outcome) {
	t.Helper()
	in := bytes.NewReader(src)
	out, err := io.ReadAll(io.LimitReader(flate.NewReader(in), limit))
	var bad flate.CorruptInputError
	switch {
	case err == nil:
		return out, len(src) - in.Len(), ends
	case errors.As(err, &bad):
		return out, 0, corrupt
	case errors.Is(err, io.ErrUnexpectedEOF):
		return out, 0, short
	}
	t.Fatalf("compress/flate: %v", err)
	return nil, 0, ""
}

// feeding is how a stream is given to a Decoder.
type feeding struct {
	piece func() int // how many bytes of input come at a time
	room  func() int // for how many bytes of output there is room at a time
}

func always(n int) func() int { return func() int { return n } }

// decode decodes src with d and each fast loop, which must agree.
func (f feeding) decode(t testing.TB, d *Decoder, src []byte) (out []byte, used int, end outcome) {
	t.Helper()
	eachLoop(func() {
		gotOut, gotUsed, gotEnd := f.decodeOnce(t, d, src)
		if end != "" && (!bytes.Equal(gotOut, out) || gotEnd != end || end == ends && gotUsed != used) {
			t.Fatalf("decoding %x: one loop: %d bytes, %s; the other: %d bytes, %s", head(src), len(out), end, len(gotOut),
				gotEnd)
		}
		out, used, end = gotOut, gotUsed, gotEnd
	})
	return out, used, end
}

// decodeOnce decodes src with d. Each call gets the window in a new buffer, and what it must not touch is checked.
func (f feeding) decodeOnce(t testing.TB, d *Decoder, src []byte) (out []byte, used int, end outcome) {
	t.Helper()
	d.Reset()
	for seen := 0; ; {
		in := guardtest.New(src[used:seen], 0)
		dst := guardtest.New(out[max(0, len(out)-windowSize):], f.room())
		got, k, err := d.Decode(dst.Slice, in.Slice)
		in.Check(t)
		dst.Check(t)
		if k < 0 || k > len(in.Slice) || len(got) < len(dst.Slice) || len(got) > cap(dst.Slice) {
			t.Fatalf("Decode: %d bytes used of %d, %d appended to %d of %d", k, len(in.Slice), len(got), len(dst.Slice),
				cap(dst.Slice))
		}
		fresh := got[len(dst.Slice):]
		out, used = append(out, fresh...), used+k
		if tail := seen - used; err == nil && len(got) < cap(got) && tail >= minInput {
			t.Fatalf("Decode left %d bytes", tail)
		}
		switch {
		case errors.Is(err, io.EOF):
			return out, used, ends
		case errors.Is(err, ErrCorrupt):
			return out, used, corrupt
		case err != nil:
			t.Fatalf("Decode: %v", err)
		case k > 0 || len(fresh) > 0:
		case seen < len(src):
			seen = min(seen+f.piece(), len(src))
		default:
			return out, used, short
		}
	}
}

// agree fails unless decoding src gives what compress/flate gives. Of a damaged stream compress/flate may hand out
// less, because it looks at more bits than the next symbol may have.
func (f feeding) agree(t testing.TB, d *Decoder, src []byte, limit int64) {
	t.Helper()
	want, wantUsed, wantEnd := oracle(t, src, limit)
	if int64(len(want)) == limit {
		return
	}
	got, used, end := f.decode(t, d, src)
	switch {
	case end != wantEnd && (wantEnd != short || end != corrupt):
		t.Fatalf("decoding %x: %s, compress/flate: %s", head(src), end, wantEnd)
	case !bytes.HasPrefix(got, want) || end == ends && len(got) != len(want):
		t.Fatalf("decoding %x: %d bytes that are not the %d of compress/flate", head(src), len(got), len(want))
	case end == ends && used != wantUsed:
		t.Fatalf("decoding %x: used %d bytes, want %d", head(src), used, wantUsed)
	}
}

// head returns the beginning of b, for messages.
func head(b []byte) []byte { return b[:min(len(b), 100)] }

// whole gives all of a stream at once and much room.
var whole = feeding{always(1 << 30), always(1 << 20)}
