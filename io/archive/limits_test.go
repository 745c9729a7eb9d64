package archive

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/schemas"
)

func mustFormat(t testing.TB, s string) Format {
	t.Helper()
	f, err := ParseFormat(s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestReader_costIsLinear reads files that provoke repeated reading, and counts the bytes read.
func TestReader_costIsLinear(t *testing.T) {
	const size = 1 << 20
	noise := func(n int) []byte {
		b := make([]byte, n)
		rnd := rand.New(rand.NewPCG(1, 1))
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		return b
	}
	head := func(length string) string {
		return "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: " + length + "\r\n\r\n"
	}
	good := warcRecord(0, []byte("good"))
	halfMember := gzipped(t, warcRecord(2, noise(400)))[:150]
	wrongSum := gzipped(t, []byte(head("30000000")))
	wrongSum[len(wrongSum)-8] ^= 1
	page := gzipped(t, []byte(head("61440")), bytes.Repeat(noise(1024), 60))
	zeros := gzipped(t, []byte(head("5000000")), make([]byte, 5_000_000))
	deep := warcRecord(2, noise(6000))
	for range 10 {
		deep = warcRecord(2, gzipLevel(t, gzip.NoCompression, deep))
	}
	deep = gzipLevel(t, gzip.NoCompression, deep)
	deep[len(deep)/2] ^= 1 // all ten have a wrong checksum
	tests := []struct {
		name, format string
		unit         []byte
		limit        int64 // times the size
	}{
		{"magic bytes of gzip", "warc+gzip", []byte{0x1f, 0x8b, 8, 0}, 6},
		{"heads of gzip members", "warc+gzip", []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3}, 6},
		{"gzip headers with names", "warc+gzip", []byte{0x1f, 0x8b, 8, 8, 1, 1, 1, 1, 1, 3}, 6},
		{"gzip headers with extra fields", "warc+gzip", []byte{0x1f, 0x8b, 8, 4, 1, 1, 1, 1, 1, 3, 0, 0xff}, 8},
		{"halves of members", "warc+gzip", halfMember, 8},
		{
			"stored members in stored members", "warc+gzip",
			gzipLevel(t, gzip.NoCompression, []byte("WARC/1.0\r\nA: b\r\n"))[:30], 80,
		},
		{"members with wrong checksums", "warc+gzip", wrongSum, 8},
		{"members that break after 60 KB", "warc+gzip", page[:len(page)-20], 40},
		{"bombs in garbage", "warc+gzip", slices.Concat(noise(100_000), zeros[:len(zeros)-20]), 4},
		{"members in members in members", "warc+gzip", deep, 8},
		{
			"frames that break after 60 KB", "warc+zstd",
			zstdFrame(t, []byte(head("61440")), bytes.Repeat(noise(1024), 60))[:1100], 6,
		},
		{"skippable frames", "warc+zstd", []byte{0x53, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 0x28, 0xb5, 0x2f, 0xfd}, 4},
		{"heads that claim the window", "warc+gzip", gzipped(t, []byte(head("30000000"))), 4},
		{"magic bytes of zstd", "warc+zstd", []byte{0x28, 0xb5, 0x2f, 0xfd}, 6},
		{"zstd frames without end", "warc+zstd", zstdFrame(t, good)[:40], 8},
		{"halves of lz4 frames", "warc+lz4", lz4Frame(t, warcRecord(2, noise(4000)))[:3000], 8},
		{"heads that claim everything", "warc+plain", []byte(head("9223372036854775807")), 40},
		{"heads that claim a long block", "warc+plain", []byte(head("50000000")), 40},
		{"heads that claim the window, plain", "warc+plain", []byte(head("30000000")), 4},
		{"heads that claim a little", "warc+plain", []byte(head("5000")), 4},
		{"heads without a length", "warc+plain", []byte(head("x")), 4},
		{"magic words", "warc+plain", []byte("WARC/"), 4},
		{"lines of ARC", "arc+plain", []byte("http://a.b/ 1.2.3.4 20010101010101 text/html 50000000\n"), 100},
		{"blank lines", "warc+plain", []byte("\r\n"), 4},
		{"zeros", "warc+gzip", []byte{0}, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			data := bytes.Repeat(tt.unit, size/len(tt.unit))
			src := &countingReader{src: bytes.NewReader(data)}
			begin := time.Now()
			n := int64(len(data))
			readRange(t, src, Input{Name: "made", Size: n, End: n}, mustFormat(t, tt.format), Options{MaxBody: 32 << 20})
			t.Logf("%d times the size, %v", src.n/n, time.Since(begin))
			if src.n > tt.limit*n {
				t.Errorf("%d bytes were read of %d, want at most %d times as many", src.n, n, tt.limit)
			}
			src.n = 0
			if _, err := Starts(src, n, n/3, mustFormat(t, tt.format)); err != nil {
				t.Error(err)
			}
			if _, err := Detect("", src, n); err != nil && err != ErrUnsupported {
				t.Error(err)
			}
			if t.Logf("%d times the size to plan, %v", src.n/n, time.Since(begin)); src.n > 5*tt.limit*n {
				t.Errorf("planning read %d bytes of %d", src.n, n)
			}
		})
	}
}

func TestReader_headAndBlockLimits(t *testing.T) {
	big := strings.Repeat("x", 3<<20)
	record := func(extra, length string, body string) []byte {
		return []byte("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Target-URI: http://a/\r\n" +
			extra +
			"Content-Length: " + length + "\r\n\r\n" + body + "\r\n\r\n")
	}
	tests := []struct {
		name  string
		rec   []byte
		body  int
		flags string
	}{
		{"head of 900 kB", record("X: "+big[:900_000]+"\r\n", "3", "abc"), 3, "[]"},
		// the rest of it is the body
		{"head over 1 MiB", record("X: "+big[:1200_000]+"\r\n", "3", "abc"), -1, "[length header]"},
		{"block over the limit", record("", fmt.Sprint(len(big)), big), 1 << 20, "[body]"},
		{"block over the limit, length too large", record("", "99999999", big), 1 << 20, "[length body]"},
		{"block over the limit, length 2^63-1", record("", "9223372036854775807", big), 1 << 20, "[length body]"},
		{"block over the limit, length too small", record("", "2500000", big), 1 << 20, "[length body]"},
		{"block over the limit, no length", record("", "", big), 1 << 20, "[length body]"},
		{"block within, length over the limit", record("", "99999999", "abc"), 3, "[length]"},
		{"block within, length 2^64", record("", "18446744073709551616", "abc"), 3, "[length]"},
		{"empty block", record("", "0", ""), 0, "[]"},
	}
	for _, format := range []string{"warc+plain", "warc+gzip", "warc+gzip single", "warc+zstd"} {
		for _, tt := range tests {
			t.Run(format+" "+tt.name, func(t *testing.T) {
				checkLimits(t, format, tt.rec, tt.body, tt.flags)
			})
		}
	}
}

func checkLimits(t *testing.T, format string, rec []byte, wantBody int, wantFlags string) {
	t.Helper()
	before, after := warcRecord(0, []byte("before")), warcRecord(1, []byte("after"))
	var data []byte
	switch format {
	case "warc+gzip":
		data = slices.Concat(gzipped(t, before), gzipped(t, rec), gzipped(t, after))
	case "warc+gzip single":
		format, data = "warc+gzip", gzipped(t, before, rec, after)
	case "warc+zstd":
		data = slices.Concat(zstdFrame(t, before), zstdFrame(t, rec), zstdFrame(t, after))
	default:
		data = slices.Concat(before, rec, after)
	}
	n := int64(len(data))
	in := Input{Name: "made", Size: n, End: n}
	got := readRange(t, bytes.NewReader(data), in, mustFormat(t, format), Options{MaxBody: 1 << 20})
	if len(got.captures) != 3 || len(got.rejects) != 0 {
		t.Fatalf("captures %q, rejects %+v", got.captures, got.rejects)
	}
	if !strings.HasSuffix(got.captures[1], wantFlags) || !strings.HasSuffix(got.captures[0], " []") ||
		!strings.HasSuffix(got.captures[2], " []") {
		t.Errorf("captures %q, want flags %s on the second", got.captures, wantFlags)
	}
	if wantBody < 0 {
		wantBody = len(rec) - 1<<20 - len("\r\n\r\n")
	}
	if want := int64(wantBody + len("before") + len("after")); got.counts.BodyBytes != want {
		t.Errorf("bodies of %d bytes, want %d", got.counts.BodyBytes, want)
	}
	if seq := got.full[2]; !strings.Contains(seq, "urn:test:1") {
		t.Errorf("last capture %s", seq)
	}
}

func TestReader_zstdWindowBomb(t *testing.T) {
	frame := zstdFrame(t, warcRecord(0, []byte(strings.Repeat("x", 100_000))))
	frame[4] &^= 0x20                                         // no single segment: a window descriptor follows
	bomb := slices.Concat(frame[:5], []byte{0xff}, frame[5:]) // the largest window there is
	data := slices.Concat(zstdFrame(t, warcRecord(1, nil)), bomb, zstdFrame(t, warcRecord(3, nil)))
	got := readBytes(t, data, mustFormat(t, "warc+zstd"))
	if len(got.captures) != 2 || len(got.rejects) == 0 || got.rejects[0].Kind != schemas.KindInflate {
		t.Errorf("captures %q, rejects %+v", got.captures, got.rejects)
	}
}

// zeroMember is a gzip member of a record with n zeros as its block, made without holding them.
func zeroMember(t *testing.T, n int64) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(w, "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://bomb.example/\r\n"+
		"WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Length: %d\r\n\r\n", n); err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<20)
	for ; n > 0; n -= int64(len(zeros)) {
		if _, err := w.Write(zeros[:min(n, int64(len(zeros)))]); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.WriteString(w, "\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// peakMemory runs f and returns how far the live heap rose above what it was.
func peakMemory(f func()) uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	base := m.HeapAlloc
	var stop atomic.Bool
	peak := make(chan uint64)
	go func() {
		top := uint64(0)
		for !stop.Load() {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			top = max(top, m.HeapAlloc)
			time.Sleep(time.Millisecond)
		}
		peak <- top
	}()
	f()
	stop.Store(true)
	return max(<-peak, base) - base
}

func TestReader_bombs(t *testing.T) {
	const size = 1 << 30
	if testing.Short() {
		t.Skip("decodes some GiB")
	}
	inner := zeroMember(t, size)
	tests := []struct {
		name, want string
		data       []byte
		format     string
	}{
		{"record of 1 GiB", "[body]", gzipped(t, inner)[:0:0], "warc+gzip"},
		{"body of 1 GiB", "[ratio]", gzipped(t, httpBomb(inner)), "warc+gzip"},
		{"body of 1 GiB, plain", "[ratio]", httpBomb(inner), "warc+plain"},
	}
	tests[0].data = inner
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := slices.Concat(tt.data, gzipped(t, warcRecord(0, nil)))
			if tt.format == "warc+plain" {
				data = slices.Concat(tt.data, warcRecord(0, nil))
			}
			n := int64(len(data))
			var got listing
			grown := peakMemory(func() {
				got = readRange(t, bytes.NewReader(data), Input{Name: "made", Size: n, End: n}, mustFormat(t, tt.format), Options{})
			})
			if t.Logf("%d MB at most", grown>>20); grown > 100<<20 {
				t.Errorf("the heap grew by %d bytes", grown)
			}
			if len(got.captures) != 2 || !strings.HasSuffix(got.captures[0], tt.want) &&
				!strings.HasSuffix(got.captures[0], "[body]") {
				t.Errorf("captures %q, want the first with %s", got.captures, tt.want)
			}
		})
	}
}

// httpBomb is a response whose body is the given gzip member.
func httpBomb(member []byte) []byte {
	block := fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n%s", member)
	return fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://bomb.example/\r\n"+
		"WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		len(block), block)
}
