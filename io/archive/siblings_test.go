package archive

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// readURLs reads a file as what it is taken for, and returns the URLs.
func readURLs(t *testing.T, data []byte) (urls []string, docs []*schemas.Capture, counts schemas.Counts) {
	t.Helper()
	f, err := Detect("a.warc.gz", bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	docs, counts = captures(t, data, f)
	for _, c := range docs {
		urls = append(urls, c.URL)
	}
	return urls, docs, counts
}

// TestAttack15_otherFormatAfterDamage has an archive, damaged at its end, with one of the other format after it.
func TestAttack15_otherFormatAfterDamage(t *testing.T) {
	text := []byte(strings.Repeat("the tide stood high ", 40))
	for name, hurt := range map[string]func([]byte) []byte{
		"half a record": func(b []byte) []byte { return b[:len(b)-len(b)/4] },
		"three bytes":   func(b []byte) []byte { return b[:len(b)-3] },
		"a page behind": func(b []byte) []byte { return append(b, "<html>502 Bad Gateway</html>\n"...) },
		"noise behind":  func(b []byte) []byte { return append(b, bytes.Repeat([]byte("\x81\x02\xfe "), 90)...) },
	} {
		for _, packing := range []string{"plain", "gzip", "zstd", "lz4", "gzip-one"} {
			for _, isARC := range []bool{false, true} {
				first, second := warcRecord, arcRecord
				if isARC {
					first, second = arcRecord, warcRecord
				}
				data := hurt(packings[packing](t, first(0, text), first(3, text)))
				data = append(data, stored(t, second(6, text), second(9, text), second(12, text))...)
				urls, _, counts := readURLs(t, data)
				for _, i := range []int{6, 9, 12} {
					if url := fmt.Sprintf("http://example.org/%d", i); !slices.Contains(urls, url) {
						t.Errorf("%s, %s, ARC first %t: %s is missing", name, packing, isARC, url)
					}
				}
				if !counts.HasDamage() {
					t.Errorf("%s, %s, ARC first %t: nothing tells of the damage", name, packing, isARC)
				}
			}
		}
	}
}

// TestAttack15_firstHeadOfOneMember: an archive is one member, and its first head cannot be recognised.
func TestAttack15_firstHeadOfOneMember(t *testing.T) {
	for _, version := range []string{"WARC 1.0", "/1.0", "", "\x00\x00\x00\x00\x00\x00\x00\x00", "AAAAAAAAAAAAAAA"} {
		for _, pack := range []func(testing.TB, ...[]byte) []byte{gzipped, zstdFrame, lz4Frame} {
			var records [][]byte
			for i := range 4 {
				records = append(records, warcRecord(3*i, bytes.Repeat([]byte("the tide stood high "), 400)))
			}
			records[0] = append([]byte(version), records[0][len("WARC/1.1"):]...)
			urls, _, counts := readURLs(t, pack(t, records...))
			want := []string{"http://example.org/3", "http://example.org/6", "http://example.org/9"}
			if len(urls) < 3 || !slices.Equal(urls[len(urls)-3:], want) || !counts.HasDamage() {
				t.Errorf("%q: %v, %v", version, urls, counts.ByReject)
			}
		}
	}
}

// TestAttack15_typesOfResources: a damaged type of a record without HTTP, which alone says that it is a page.
func TestAttack15_typesOfResources(t *testing.T) {
	for _, kind := range []string{
		"res ource", "res\tource", "res\x00ource", "res\r\nource", "\"resource\"", "<resource>",
		"resource;", "rdsource",
	} {
		record := func(kind string, i int) string {
			return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: http://example.org/%d\r\n"+
				"WARC-Date: 2024-02-03T04:05:06Z\r\nWARC-Record-ID: <urn:x:%d>\r\nContent-Type: text/plain\r\n"+
				"Content-Length: 4\r\n\r\ntext\r\n\r\n", kind, i, i)
		}
		urls, docs, _ := readURLs(t, []byte(record("resource", 0)+record(kind, 1)+record("resource", 2)))
		want := []string{"http://example.org/0", "http://example.org/1", "http://example.org/2"}
		if !slices.Equal(urls, want) || docs[1].RecordType != schemas.TypeResource || !docs[1].HasFlag(schemas.FlagHead) ||
			docs[2].HasFlag(schemas.FlagHead) {
			t.Errorf("%q: %v", kind, urls)
		}
	}
}

// TestAttack15_otherTypes: a type that no standard has yet is not a damaged one.
func TestAttack15_otherTypes(t *testing.T) {
	for _, kind := range []string{"resource2", "responses", "re-source", "metadata2", "rresource"} {
		data := bytes.Replace(warcRecord(0, nil), []byte(": response"), []byte(": "+kind), 1)
		data = bytes.Replace(data, []byte("application/http; msgtype=response"), []byte("text/plain"), 1)
		urls, _, counts := readURLs(t, append(data, warcRecord(3, nil)...))
		if !slices.Equal(urls, []string{"http://example.org/3"}) || counts.HasDamage() {
			t.Errorf("%s: %v, %v", kind, urls, counts.ByReject)
		}
	}
}

// TestAttack15_strayLines: a line without a name leaves the value before it as it is.
func TestAttack15_strayLines(t *testing.T) {
	resource := bytes.Replace(warcRecord(0, nil), []byte("application/http; msgtype=response"), []byte("text/plain"), 1)
	resource = bytes.Replace(resource, []byte("WARC-Type: response"), []byte("WARC-Type: resource"), 1)
	for _, field := range []string{"WARC-Type: resource", "WARC-Date: 2024-02-03T04:05:06Z"} {
		for _, stray := range []string{"a stray line", "X Foo: bar", "response", "2024-02-03T04:05:06Z", "/"} {
			data := bytes.Replace(resource, []byte(field), []byte(field+"\r\n"+stray), 1)
			_, docs, _ := readURLs(t, data)
			if len(docs) != 1 || docs[0].Timestamp.Year() != 2024 || docs[0].HasFlag(schemas.FlagTimestamp) {
				t.Errorf("%s, %s: %d captures", field, stray, len(docs))
			}
		}
	}
}

// TestAttack15_shownLines: pages and stored archives with lines of ARC stay whole, whatever their length.
func TestAttack15_shownLines(t *testing.T) {
	shown := slices.Concat(arcRecord(6, nil), arcRecord(9, nil), arcRecord(12, nil))
	page := warcRecord(3, slices.Concat([]byte("The format:\n\n"), shown))
	file := []byte(fmt.Sprintf("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://example.org/3\r\n"+
		"WARC-Date: 2024-02-03T04:05:06Z\r\nWARC-Record-ID: <urn:x:3>\r\nContent-Type: application/x-arc\r\n"+
		"Content-Length: %d\r\n\r\n%s\r\n\r\n", len(shown), shown))
	stating := func(off int) []byte {
		length := func(n int) []byte { return fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", n) }
		return bytes.Replace(file, length(len(shown)), length(len(shown)+off), 1)
	}
	for name, data := range map[string][]byte{
		"a page that is cut":       page[:len(page)-len("\r\n\r\n")-1],
		"a page cut at a line":     page[:len(page)-len("\r\n\r\n")-len(arcRecord(12, nil))],
		"a file, length too long":  stating(9),
		"a file, length too short": stating(-9),
		"a file that is cut":       file[:len(file)-len("\r\n\r\n")],
	} {
		urls, _, counts := readURLs(t, slices.Concat(warcRecord(0, nil), data))
		if want := []string{"http://example.org/0", "http://example.org/3"}; !slices.Equal(urls, want) {
			t.Errorf("%s: %v, %v", name, urls, counts.ByReject)
		}
	}
}

// TestAttack15_shownInsideMember: the page of a member with a damaged head does not make another format of the file.
func TestAttack15_shownInsideMember(t *testing.T) {
	page := slices.Concat([]byte("The format:\n"), arcRecord(6, nil)[:80], []byte("\nand so on\n"))
	for name, pack := range map[string]func(testing.TB, ...[]byte) []byte{
		"gzip": gzipped, "zstd": zstdFrame, "lz4": lz4Frame,
	} {
		data := pack(t, append([]byte("AAAAAAAAAAAAAAA"), warcRecord(0, page)[len("WARC/1.1\r\nWARC-"):]...))
		for _, i := range []int{3, 6, 9} {
			data = append(data, pack(t, warcRecord(i, nil))...)
		}
		if f, err := Detect("a.warc.gz", bytes.NewReader(data), int64(len(data))); err != nil || f.Name != "warc" {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}

// TestAttack15_escapesInURLs of ARC files are not damage: ISO-2022-JP has them.
func TestAttack15_escapesInURLs(t *testing.T) {
	data := bytes.Replace(arcRecord(0, nil), []byte("org/0"), []byte("org/0?q=\x1b$B$\"\x1b(B"), 1)
	urls, docs, counts := readURLs(t, append(data, arcRecord(3, nil)...))
	if len(urls) != 2 || docs[0].HasFlag(schemas.FlagHead) || counts.HasDamage() {
		t.Errorf("%q, %v", urls, counts.ByReject)
	}
}

// TestAttack15_noiseBeforeALine of an ARC file is not part of its URL.
func TestAttack15_noiseBeforeALine(t *testing.T) {
	want := []string{"http://example.org/0", "http://example.org/3"}
	for _, noise := range []string{
		"\x97\x15B\x14R\xee)\x06!  \x02q\x0ee\x0fC#@\x1d\x04", strings.Repeat("\x01\x02\x83 \x0e", 40),
	} {
		noise = strings.Repeat(noise, 5)
		urls, _, counts := readURLs(t, slices.Concat([]byte(noise), arcRecord(0, nil), arcRecord(3, nil)))
		if !slices.Equal(urls, want) || !counts.HasDamage() {
			t.Errorf("%q, %v", urls, counts.ByReject)
		}
	}
}
