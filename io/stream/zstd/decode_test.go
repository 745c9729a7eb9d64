package zstd

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/guardtest"
	kzstd "github.com/klauspost/compress/zstd"
)

var (
	errMore = errors.New("more input is wanted")             // stands for a frame that goes on after the input
	errMuch = errors.New("more is decoded than is compared") // stands for one that decodes to more than feeding.limit
)

// feeding is how a frame is given to a Decoder.
type feeding struct {
	piece func() int // how many bytes of input come at a time, beside those that are asked for
	room  func() int // for how many bytes of output there is room at a time
	limit int        // bytes after which decoding is given up
}

func always(n int) func() int { return func() int { return n } }

// whole gives all of a frame at once and much room.
var whole = feeding{always(1 << 30), always(1 << 20), 64 << 20}

// decode decodes src with d and each fast loop, which must agree.
func (f feeding) decode(t testing.TB, d *Decoder, src []byte) (out []byte, used int, err error) {
	t.Helper()
	first := true
	eachLoop(func() {
		gotOut, gotUsed, gotErr := f.decodeOnce(t, d, src)
		if !first && (!bytes.Equal(gotOut, out) || gotErr != err || gotUsed != used) {
			t.Fatalf("decoding %x: one loop: %d bytes, %v; the other: %d bytes, %v", head(src), len(out), err, len(gotOut),
				gotErr)
		}
		out, used, err, first = gotOut, gotUsed, gotErr, false
	})
	return out, used, err
}

// decodeOnce decodes src with d. Each call gets the window in a new buffer, and what it must not touch is checked.
func (f feeding) decodeOnce(t testing.TB, d *Decoder, src []byte) (out []byte, used int, err error) {
	t.Helper()
	for d.Reset(); ; {
		need := d.Need()
		if need < 0 || need > maxBlock {
			t.Fatalf("Need() = %d", need)
		}
		if need > len(src)-used {
			return out, used, errMore
		}
		in := guardtest.New(src[used:min(len(src), used+max(need, f.piece()))], 0)
		dst := guardtest.New(out[max(0, len(out)-d.Window()):], f.room())
		got, k, err := d.Decode(dst.Slice, in.Slice)
		in.Check(t)
		dst.Check(t)
		if k < 0 || k > len(in.Slice) || len(got) < len(dst.Slice) || len(got) > cap(dst.Slice) {
			t.Fatalf("Decode: %d bytes used of %d, %d appended to %d of %d", k, len(in.Slice), len(got), len(dst.Slice),
				cap(dst.Slice))
		}
		out, used = append(out, got[len(dst.Slice):]...), used+k
		if err == nil && len(got) < cap(got) && d.Need() <= len(in.Slice)-k {
			t.Fatalf("Decode stopped with room for %d bytes and %d bytes of input, when it needs %d", cap(got)-len(got),
				len(in.Slice)-k, d.Need())
		}
		if len(out) > f.limit {
			return out[:f.limit], 0, errMuch
		}
		if err != nil {
			return out, used, err
		}
	}
}

// peer is what results are compared with.
var peer = func() *kzstd.Decoder {
	d, err := kzstd.NewReader(nil, kzstd.WithDecoderConcurrency(1), kzstd.WithDecoderMaxWindow(8<<20),
		kzstd.WithDecoderMaxMemory(64<<20))
	must(err)
	return d
}()

// agree fails unless decoding src gives what the peer gives.
func (f feeding) agree(t testing.TB, d *Decoder, src []byte) {
	t.Helper()
	got, used, err := f.decode(t, d, src)
	switch err {
	case errMuch:
		return
	case io.EOF:
		src = src[:used]
	}
	want, wantErr := peer.DecodeAll(src, nil)
	switch {
	case err == io.EOF && wantErr == nil && !bytes.Equal(got, want):
		t.Fatalf("decoding %x: %d bytes that are not the %d of the peer", head(src), len(got), len(want))
	case (err == io.EOF) != (wantErr == nil) && !differs(src, err, wantErr):
		t.Fatalf("decoding %x: %v; the peer: %v", src, err, wantErr)
	}
}

// differs reports whether the peer and this package are known to judge a frame in different ways.
func differs(src []byte, err, peerErr error) bool {
	if len(src) == 0 || peerErr != nil && errors.Is(peerErr, kzstd.ErrMagicMismatch) { // it was given a second frame
		return true
	}
	if err == io.EOF { // this package is as lenient as the reference decoder
		return strings.Contains(peerErr.Error(), "symbolLen (1) too small") || // a code of one symbol
			strings.Contains(peerErr.Error(), "fse decompress returned: unexpected EOF") || // weights that end within a state
			strings.Contains(peerErr.Error(), "input too small") // a table in the last four bytes of a block
	}
	return errors.Is(err, errTable) || // a code for offsets of 512 states, an offset of 2 GiB
		errors.Is(err, errMagic) || // skippable frames
		errors.Is(err, errNoDistance) || // which the peer takes for 1, as older reference decoders did
		errors.Is(err, errContent) || // a size of 2^64-1, which it takes for none
		errors.Is(err, errBlockSize) // a window below 1 KiB, where a frame is one segment
}

// head returns the beginning of b, for messages.
func head(b []byte) []byte { return b[:min(len(b), 100)] }
