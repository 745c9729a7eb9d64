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
		"resourc", "rresource", "res ource", "res\tource", "res\x00ource", "res\r\nource", "\"resource\"", "<resource>",
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

// TestAttack15_yearsThatCannotBe have a flag, as a month 0 has.
func TestAttack15_yearsThatCannotBe(t *testing.T) {
	for year, want := range map[string]bool{
		"0021": true, "0001": true, "1969": true, "1970": false, "1990": false, "2024": false, "2100": false, "2124": true,
		"9999": true,
	} {
		warc := bytes.Replace(warcRecord(0, nil), []byte("WARC-Date: 2024"), []byte("WARC-Date: "+year), 1)
		arc := bytes.Replace(arcRecord(0, nil), []byte(" 2004"), []byte(" "+year), 1)
		for _, data := range [][]byte{warc, arc} {
			_, docs, _ := readURLs(t, data)
			if len(docs) != 1 || docs[0].HasFlag(schemas.FlagTimestamp) != want {
				t.Errorf("%s: flags %v", year, docs[0].Flags)
			}
		}
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
