package zstd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	kzstd "github.com/klauspost/compress/zstd"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// encoded returns data as a frame, made by another package.
func encoded(data []byte, o ...kzstd.EOption) []byte {
	w, err := kzstd.NewWriter(nil, append(o, kzstd.WithEncoderConcurrency(1), kzstd.WithZeroFrames(true))...)
	must(err)
	defer w.Close()
	return w.EncodeAll(data, nil)
}

// text returns n bytes that compress as text does.
func text(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("<p> <div> harbour ship the of and quay </p> </div> a crane anchor in to was lighthouse &amp; \n")
	var b bytes.Buffer
	for b.Len() < n {
		if r.IntN(8) == 0 {
			fmt.Fprintf(&b, "%x ", r.Uint32()>>r.IntN(32))
		}
		b.WriteString(words[int(float64(len(words))*r.Float64()*r.Float64())])
		b.WriteByte(' ')
	}
	return b.Bytes()[:n]
}

func random(n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{})
	_, _ = r.Read(b) // cannot fail
	return b
}

// few returns n random bytes of which only some values occur, so that literals are compressed and matches are few.
func few(n, values int) []byte {
	b := random(n)
	for i, v := range b {
		b[i] = byte(int(v) % values * int(v) / 256)
	}
	return b
}

// samples are what round trips are made of.
func samples() map[string][]byte {
	return map[string][]byte{
		"empty": {}, "one": []byte("x"), "text": text(400_000), "small text": text(700), "random": random(300_000),
		"zeros": make([]byte, 500_000), "few": few(200_000, 40), "very few": few(5000, 3),
		"mixed":   bytes.Join([][]byte{text(50_000), random(20_000), make([]byte, 1000), text(300_000), few(9000, 90)}, nil),
		"periods": []byte(strings.Repeat("a", 100) + strings.Repeat("ab", 100) + strings.Repeat("abc", 1000) + strings.Repeat("abcdefghijk", 50)),
	}
}

// whole decodes a frame in one call.
func whole(d *Decoder, frame []byte, n int) ([]byte, error) {
	d.Reset()
	out, used, err := d.Decode(make([]byte, 0, n), frame)
	if errors.Is(err, io.EOF) && used != len(frame) {
		return out, fmt.Errorf("used %d of %d bytes", used, len(frame))
	}
	return out, err
}

func TestDecoder_roundTrip(t *testing.T) {
	d := NewDecoder(Options{})
	for name, data := range samples() {
		for level := kzstd.SpeedFastest; level <= kzstd.SpeedBestCompression; level++ {
			for _, o := range [][]kzstd.EOption{nil, {kzstd.WithWindowSize(1 << 10)}, {kzstd.WithSingleSegment(true)}, {kzstd.WithEncoderCRC(false)}} {
				frame := encoded(data, append(o, kzstd.WithEncoderLevel(level))...)
				got, err := whole(d, frame, len(data))
				if err != io.EOF || !bytes.Equal(got, data) {
					t.Errorf("%s, %v: Decode = %d bytes, %v; want %d, io.EOF", name, level, len(got), err, len(data))
				}
			}
		}
	}
}

// pieces decodes a frame in many calls, with as little of src as is asked for and n bytes of room at a time, in a buffer
// that holds no more history than is asked for.
func pieces(d *Decoder, frame []byte, n int) (out []byte, err error) {
	d.Reset()
	var history []byte
	for err == nil {
		keep := min(len(history), d.Window())
		history = append(make([]byte, 0, keep+n), history[len(history)-keep:]...)
		need := d.Need()
		if need > len(frame) {
			return out, io.ErrUnexpectedEOF
		}
		var used int
		if need == 1 { // of a raw block, as much as there is room for
			need = min(n, len(frame))
		}
		history, used, err = d.Decode(history, frame[:need:need])
		frame = frame[used:]
		out = append(out, history[keep:]...)
	}
	if len(frame) > 0 && errors.Is(err, io.EOF) {
		return out, fmt.Errorf("%d bytes left over", len(frame))
	}
	return out, err
}

func TestDecoder_inPieces(t *testing.T) {
	d := NewDecoder(Options{})
	for name, data := range samples() {
		for _, n := range []int{1, 7, 100, 4000, 100_000} {
			data := data[:min(len(data), 300*n)]
			for _, window := range []int{1 << 10, 1 << 20} {
				got, err := pieces(d, encoded(data, kzstd.WithWindowSize(window)), n)
				if err != io.EOF || !bytes.Equal(got, data) {
					t.Errorf("%s, pieces of %d: %d bytes, %v; want %d, io.EOF", name, n, len(got), err, len(data))
				}
			}
		}
	}
}
