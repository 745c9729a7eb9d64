package httpmsg

import (
	"bytes"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// bomb compresses n zero bytes, a multiple of 2 MiB, as often as there are codings. To be quick about it, gzip and
// zstd compress 2 MiB once and repeat the member or frame.
func bomb(tb testing.TB, n int, codings ...string) []byte {
	tb.Helper()
	const unit = 2 << 20
	if codings[0] == "br" {
		return []byte(encode(tb, string(make([]byte, n)), codings...))
	}
	one := encode(tb, string(make([]byte, min(n, unit))), codings[0])
	return []byte(encode(tb, strings.Repeat(one, max(n/unit, 1)), codings[1:]...))
}

// allocated returns how many bytes f allocates, and how much larger the heap then is.
func allocated(f func()) (total, heap uint64) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, max(after.HeapAlloc, before.HeapAlloc) - before.HeapAlloc
}

func TestDecode_bombs(t *testing.T) {
	const mib = 1 << 20
	header := fields("Content-Encoding", "gzip")
	body, ratio := []schemas.Flag{schemas.FlagBody}, []schemas.Flag{schemas.FlagRatio}
	thrice := bomb(t, 1<<30, "gzip", "gzip", "gzip")
	small := bomb(t, 6*mib, "gzip")
	tests := []struct {
		name   string
		header []schemas.Field
		raw    []byte
		want   int
		flags  []schemas.Flag
		total  uint64 // bytes that may be allocated
	}{
		{"1 MB of gzip, 1 GiB", header, bomb(t, 1<<30, "gzip"), 32 * mib, body, 33*mib + mib/2},
		{"6 KB of gzip, 6 MiB", header, small, 1000 * len(small), ratio, 10 * mib},
		{"zstd, 1 GiB", fields("Content-Encoding", "zstd"), bomb(t, 1<<30, "zstd"), 32 * mib, body, 48 * mib},
		{"br, 4 MiB", fields("Content-Encoding", "br"), bomb(t, 1<<22, "br"), mib, ratio, 24 * mib},
		{
			"gzip three times", fields("Content-Encoding", "gzip, gzip", "content-encoding", "gzip"), thrice,
			max(mib, 1000*len(thrice)), ratio, 5 * mib,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var d Decoded
			total, heap := allocated(func() { d = Decode(test.header, test.raw, Limits{}) })
			t.Logf("%d bytes to %d; allocated %.1f MiB, heap +%.1f MiB", len(test.raw), len(d.Body), float64(total)/mib,
				float64(heap)/mib)
			if len(d.Body) != test.want || !slices.Equal(d.Flags, test.flags) {
				t.Errorf("%d bytes, flags %v, want %d, %v", len(d.Body), d.Flags, test.want, test.flags)
			}
			if total > test.total {
				t.Errorf("allocated %d bytes, want at most %d", total, test.total)
			}
		})
	}
}

func TestDecode_bodyLimit(t *testing.T) {
	packed := []byte(encode(t, page, "gzip"))
	header := fields("Content-Encoding", "gzip")
	for _, test := range []struct {
		name   string
		header []schemas.Field
		raw    []byte
		limit  int64
		want   int
		over   bool
	}{
		{"one less", header, packed, int64(len(page)) - 1, len(page) - 1, true},
		{"just so", header, packed, int64(len(page)), len(page), false},
		{"one byte", header, packed, 1, 1, true},
		{"plain", nil, []byte(page), 10, 10, true},
		{"plain, just so", nil, []byte(page), int64(len(page)), len(page), false},
	} {
		d := Decode(test.header, test.raw, Limits{MaxBody: test.limit})
		if len(d.Body) != test.want || slices.Contains(d.Flags, schemas.FlagBody) != test.over ||
			!strings.HasPrefix(page, string(d.Body)) {
			t.Errorf("%s: %d bytes, flags %v, want %d, over: %t", test.name, len(d.Body), d.Flags, test.want, test.over)
		}
		if len(d.Payload) != len(test.raw) {
			t.Errorf("%s: payload of %d bytes is cut", test.name, len(d.Payload))
		}
	}
}

func TestDecode_codingLimit(t *testing.T) {
	codings := slices.Repeat([]string{"gzip"}, 5)
	raw := []byte(encode(t, page, codings...))
	header := fields("Content-Encoding", strings.Join(codings, ","))
	d := Decode(header, raw, Limits{MaxCodings: 3})
	if want := encode(t, page, "gzip", "gzip"); string(d.Body) != want || len(d.Codings) != 3 ||
		!slices.Equal(d.Flags, []schemas.Flag{schemas.FlagEncoding}) {
		t.Errorf("%d bytes, codings %q, flags %v, want the %d bytes beneath three codings", len(d.Body), d.Codings, d.Flags,
			len(want))
	}
	many := fields("Content-Encoding", strings.Repeat("gzip,", 100_000))
	if d := Decode(many, []byte(page), Limits{}); string(d.Body) != page ||
		!slices.Equal(d.Flags, []schemas.Flag{schemas.FlagEncoding}) {
		t.Errorf("100,000 codings: %d bytes, flags %v", len(d.Body), d.Flags)
	}
}

// TestDecode_workIsBounded decodes bodies that make work and no output.
func TestDecode_workIsBounded(t *testing.T) {
	emptyGzip := bytes.Repeat([]byte(encode(t, "", "gzip")), 1<<18/23)
	// A frame of one empty block that declares a window of 8 MiB.
	emptyZstd := bytes.Repeat([]byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x68, 0x01, 0x00, 0x00}, 1<<18/9)
	tests := []struct {
		name   string
		coding string
		raw    []byte
	}{
		{"empty gzip members", "gzip", emptyGzip},
		{"empty gzip members, packed", "gzip,gzip", []byte(encode(t, strings.Repeat(string(emptyGzip), 16), "gzip"))},
		{"empty zstd frames with a large window", "zstd", emptyZstd},
		{"chunks of one byte", "", []byte(strings.Repeat("1\r\na\r\n", 1<<18/6))},
	}
	for _, test := range tests {
		start := time.Now()
		var d Decoded
		total, _ := allocated(func() {
			d = Decode(fields("Content-Encoding", test.coding, "Transfer-Encoding", "chunked"), test.raw, Limits{})
		})
		t.Logf("%s: %d bytes to %d in %v, allocated %d, flags %v", test.name, len(test.raw), len(d.Body), time.Since(start),
			total, d.Flags)
		if len(d.Body) > len(test.raw) {
			t.Errorf("%s: a body of %d bytes", test.name, len(d.Body))
		}
		if total > 16<<20 {
			t.Errorf("%s: allocated %d bytes", test.name, total)
		}
	}
}
