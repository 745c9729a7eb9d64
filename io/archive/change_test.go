package archive

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// packings are ways to compress a list of records.
var packings = map[string]func(testing.TB, ...[]byte) []byte{
	"plain": stored, "gzip": each(gzipped), "zstd": each(zstdFrame), "lz4": each(lz4Frame), "gzip-one": gzipped,
	"gzip-gzip": twice(each(gzipped), gzipped), "gzip-zstd": twice(each(zstdFrame), gzipped),
	"zstd-gzip":    twice(each(gzipped), zstdFrame),
	"lz4-gzip-one": twice(gzipped, lz4Frame), "gzip-plain-gzip": twice(gzipped, gzipped),
}

func each(pack func(testing.TB, ...[]byte) []byte) func(testing.TB, ...[]byte) []byte {
	return func(t testing.TB, records ...[]byte) (b []byte) {
		for _, r := range records {
			b = append(b, pack(t, r)...)
		}
		return b
	}
}

func twice(inner, outer func(testing.TB, ...[]byte) []byte) func(testing.TB, ...[]byte) []byte {
	return func(t testing.TB, records ...[]byte) []byte { return outer(t, inner(t, records...)) }
}

// stretches makes an archive of stretches of n records each.
func stretches(t *testing.T, rnd *rand.Rand, n int, kinds ...string) (data []byte, want []string) {
	t.Helper()
	for i, kind := range kinds {
		var records [][]byte
		for k := range n {
			b := body(rnd, 6000)
			records = append(records, warcRecord(1000*i+k, b))
			want = append(want, fmt.Sprintf("http://example.org/%d ", 1000*i+k))
		}
		data = append(data, packings[kind](t, records...)...)
	}
	return data, want
}

// readDetected reads a file as what it is taken for.
func readDetected(t *testing.T, data []byte) (Format, listing) {
	t.Helper()
	f, err := Detect("a", bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return f, readBytes(t, data, f)
}

func TestAttack08_fileThatChangesCompression(t *testing.T) {
	cases := [][]string{
		{"gzip", "plain"},
		{"plain", "gzip"},
		{"gzip", "zstd"},
		{"zstd", "gzip", "lz4"},
		{"plain", "zstd", "plain"},
		{"lz4", "plain", "gzip"},
		{"gzip", "plain", "gzip", "plain", "gzip"},
		{"zstd", "plain", "zstd"},
		{"gzip-one", "plain"},
		{"gzip-gzip"},
		{"gzip-gzip", "gzip-gzip"},
		{"gzip-zstd"},
		{"zstd-gzip"},
		{"lz4-gzip-one"},
		{"gzip-plain-gzip"},
		{"gzip", "gzip-gzip", "plain"},
		{"gzip-gzip", "gzip", "plain"},
		{"plain", "gzip-gzip"},
	}
	for i, kinds := range cases {
		for _, n := range []int{1, 3, 40} {
			t.Run(fmt.Sprint(kinds, n), func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(8, uint64(10*i+n)))
				data, want := stretches(t, rnd, n, kinds...)
				src, size := bytes.NewReader(data), int64(len(data))
				f, whole := readDetected(t, data)
				var urls []string
				for _, c := range whole.captures {
					url, _, _ := strings.Cut(c, " ")
					urls = append(urls, url+" ")
					if !strings.HasSuffix(c, " []") {
						t.Errorf("%s has a flag", c)
					}
				}
				if !slices.Equal(urls, want) || whole.counts.BytesLost != 0 || whole.counts.BytesRead != size {
					t.Errorf("%d of %d captures, %d lost, rejects %v", len(urls), len(want), whole.counts.BytesLost, whole.rejects)
				}
				twice := strings.Contains(kinds[0], "-") && kinds[0] != "gzip-one"
				if mixed := whole.counts.ByReject["mixed"] > 0; mixed != (twice || len(kinds) > 1 && kinds[0] != kinds[1]) {
					t.Errorf("rejects %v", whole.rejects)
				}
				for _, every := range []int64{1, 9_000, 50_001, size/2 + 1} {
					checkSplit(t, src, size, whole, f, every)
				}
			})
		}
	}
}

// TestAttack08_cutInAHead joins an archive that was truncated within a record's head and an archive of another
// compression. The truncated head lacks its blank line, but the second archive has a blank line somewhere.
func TestAttack08_cutInAHead(t *testing.T) {
	for kind := range packings {
		if kind == "plain" {
			continue
		}
		rnd := rand.New(rand.NewPCG(8, 9))
		first, want := stretches(t, rnd, 2, "plain")
		// Of pages that do not compress, so that there is a blank line in them somewhere.
		second, more := stretches(t, rnd, 40, kind)
		want = append(want, more...)
		head := warcRecord(2000, body(rnd, 100))
		for _, cut := range []int{9, 10, 11, 40, 90, 150} {
			data := slices.Concat(first, head[:cut], second)
			src, size := bytes.NewReader(data), int64(len(data))
			f, whole := readDetected(t, data)
			var urls []string
			for _, c := range whole.captures {
				// The record that was cut may be a capture without a URL.
				if url, _, _ := strings.Cut(c, " "); slices.Contains(want, url+" ") {
					urls = append(urls, url+" ")
				}
			}
			if !slices.Equal(urls, want) {
				t.Errorf("%s, cut at byte %d of %q: %d of %d captures, rejects %v", kind, cut, head[:cut], len(urls), len(want),
					whole.rejects)
			}
			checkSplit(t, src, size, whole, f, 50_001)
		}
	}
}

// TestAttack08_cutAndJoined joins an archive that was truncated anywhere and two others, of all compressions. The
// stated length of the truncated record may exceed their length.
func TestAttack08_cutAndJoined(t *testing.T) {
	for second := range packings {
		for third := range packings {
			for round := range 5 {
				rnd := rand.New(rand.NewPCG(uint64(round), 9))
				data, _ := stretches(t, rnd, 5, "plain")
				data = data[:rnd.IntN(len(data))]
				cut := len(data)
				var want []string
				for i, kind := range []string{second, third} {
					var records [][]byte
					for k := range []int{1, 3, 25}[round%3] {
						records = append(records, warcRecord(1000*(i+1)+k, body(rnd, 6000)))
						want = append(want, fmt.Sprintf("http://example.org/%d", 1000*(i+1)+k))
					}
					data = append(data, packings[kind](t, records...)...)
				}
				_, whole := readDetected(t, data)
				got := map[string]bool{}
				for _, c := range whole.captures {
					url, _, _ := strings.Cut(c, " ")
					got[url] = true
				}
				for _, url := range want {
					if !got[url] {
						t.Errorf("cut at %d, %s, %s: %s is not read; rejects %v", cut, second, third, url, whole.rejects)
					}
				}
			}
		}
	}
}

// TestAttack08_threeOfWhichOneIsCut joins archives of all compressions, the first of them truncated: every byte of the
// file is counted.
func TestAttack08_threeOfWhichOneIsCut(t *testing.T) {
	for first := range packings {
		for second := range packings {
			for third := range packings {
				rnd := rand.New(rand.NewPCG(1, 9))
				data, _ := stretches(t, rnd, 5, first)
				more, _ := stretches(t, rnd, 1, second, third)
				data = append(data[:rnd.IntN(len(data))], more...)
				_, whole := readDetected(t, data)
				if n := whole.counts.BytesRead; n != int64(len(data)) {
					t.Errorf("%s, %s, %s: %d of %d bytes are accounted for", first, second, third, n, len(data))
				}
			}
		}
	}
}

// TestAttack08_headThatRunsOn: a truncated HTTP head continues through a compressed archive into the HTTP head of a
// later record. By the fields of that head, the truncated record would end where the later one ends.
func TestAttack08_headThatRunsOn(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	cut := "WARC/1.1\r\nWARC-Type: response\r\n\r\nHTTP/1.1 200 OK\r\nX-Cut: "
	last := func(id int) []byte {
		block := append([]byte("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n"), body(rnd, 900)...)
		head := fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:test:%d>\r\nWARC-Target-URI: "+
			"http://example.org/%d\r\n"+
			"WARC-Date: 2024-02-03T04:05:06Z\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n",
			id, id, len(block))
		return slices.Concat([]byte(head), block, []byte("\r\n\r\n"))
	}
	data := slices.Concat(warcRecord(1, body(rnd, 50)), []byte(cut),
		packings["gzip"](t, warcRecord(2, body(rnd, 50)), warcRecord(3, body(rnd, 50))), last(4), last(5))
	_, whole := readDetected(t, data)
	var urls []string
	for _, c := range whole.captures {
		url, _, _ := strings.Cut(c, " ")
		urls = append(urls, strings.TrimPrefix(url, "http://example.org/"))
	}
	if got := strings.Join(urls, ","); got != "1,,2,3,4,5" {
		t.Errorf("captures %s, rejects %v", got, whole.rejects)
	}
}

// TestAttack08_damageWhereTheFileChanges hurts such files at random.
func TestAttack08_damageWhereTheFileChanges(t *testing.T) {
	cases := [][]string{
		{"gzip", "plain"},
		{"plain", "gzip"},
		{"gzip", "zstd", "plain", "gzip"},
		{"zstd", "lz4", "plain"},
		{"gzip-gzip", "plain"},
		{"gzip-gzip"},
	}
	for i, kinds := range cases {
		for n := range 12 {
			rnd := rand.New(rand.NewPCG(88, uint64(100*i+n)))
			data, want := stretches(t, rnd, 15, kinds...)
			for range 1 + n%3 {
				at := rnd.IntN(len(data))
				switch n % 4 {
				case 0:
					data[at] ^= 1 << rnd.IntN(8)
				case 1:
					data = slices.Delete(data, at, min(len(data), at+1+rnd.IntN(300)))
				case 2:
					data = slices.Insert(data, at, bytes.Repeat([]byte{'x'}, 1+rnd.IntN(2000))...)
				default:
					clear(data[at:min(len(data), at+512)])
				}
			}
			src, size := bytes.NewReader(data), int64(len(data))
			f, whole := readDetected(t, data)
			if least := len(want) * 6 / 10; kinds[0] != "gzip-gzip" && len(whole.captures) < least {
				t.Errorf("%v %d: %d of %d captures; rejects %+v", kinds, n, len(whole.captures), len(want), whole.rejects)
			}
			for _, every := range []int64{1, 20_000} {
				checkSplit(t, src, size, whole, f, every)
			}
		}
	}
}

// TestAttack08_bombInABomb costs no more than one bomb.
func TestAttack08_bombInABomb(t *testing.T) {
	zeros := append(warcRecord(2, []byte("x")), make([]byte, 64<<20)...)
	inner := gzipped(t, zeros)
	data := gzipped(t, bytes.Repeat(inner, 300))
	_, l := readDetected(t, data)
	if len(l.captures) == 0 || l.counts.ByReject["inflate"] == 0 {
		t.Errorf("%d captures of %d bytes, counts %+v", len(l.captures), len(data), l.counts)
	}
}
