package inflate

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// place is where a block ends in a stream.
type place struct {
	used    int
	bits    uint
	decoded int
}

// places decodes src in pieces of step bytes of output, and returns the output and where blocks end.
func places(t testing.TB, src []byte, step int) (out []byte, list []place) {
	t.Helper()
	var d Decoder
	out = make([]byte, 0, 64<<20)
	for at := 0; ; {
		b, used, err := d.DecodeBlock(out[:len(out):min(cap(out), len(out)+step)], src[at:])
		fresh := len(b) - len(out)
		out, at = out[:len(b)], at+used
		if errors.Is(err, io.EOF) {
			return out, list
		}
		bits, ok := d.AtBlock()
		if err != nil || used == 0 && fresh == 0 && !ok && step > maxMatch {
			t.Fatalf("DecodeBlock at byte %d of %d: %v", at, len(src), err)
		}
		if ok {
			list = append(list, place{at, bits, len(out)})
		}
	}
}

func TestDecoder_Resume(t *testing.T) {
	data := append(text(1<<20), random(200_000)...)
	for _, level := range []int{-2, 0, 1, 6, 9} {
		src := deflated(data, level)
		for _, step := range []int{1, 300, 1 << 20} {
			out, list := places(t, src, step)
			if !bytes.Equal(out, data) || len(list) == 0 {
				t.Fatalf("level %d, step %d: %d bytes of %d, %d places", level, step, len(out), len(data), len(list))
			}
			for _, p := range list {
				var d Decoder
				history := min(p.decoded, windowSize)
				d.Resume(p.bits, src[max(p.used, 1)-1], history)
				b := append(make([]byte, 0, len(data)+1000), data[p.decoded-history:p.decoded]...)
				got, used, err := d.Decode(b, src[p.used:])
				if !errors.Is(err, io.EOF) || p.used+used != len(src) || !bytes.Equal(got[history:], data[p.decoded:]) {
					t.Fatalf("level %d: Resume at byte %d, %d bits: %v, %d bytes decoded, want %d", level, p.used, p.bits, err,
						len(got)-history, len(data)-p.decoded)
				}
			}
		}
	}
}

// TestDecoder_ResumeWrongly resumes with wrong bits or too little history: errors or other bytes, but no crash.
func TestDecoder_ResumeWrongly(t *testing.T) {
	data := text(400_000)
	src := deflated(data, 6)
	_, list := places(t, src, 1<<20)
	failed := 0
	for _, p := range list {
		for bits := range uint(20) {
			var d Decoder
			d.Resume(bits, 0xa5, 7)
			_, _, err := d.Decode(append(make([]byte, 0, 1<<20), 0, 0, 0), src[p.used:])
			if errors.Is(err, ErrCorrupt) {
				failed++
			}
		}
	}
	if failed == 0 {
		t.Error("no wrong place was noticed")
	}
}
