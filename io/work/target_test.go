package work

import (
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/digest"
)

// TestIndex_anotherRecord: a line gives the record that it describes, or none.
func TestIndex_anotherRecord(t *testing.T) {
	_, list := shelf(t)
	// A page of each archive, and one that is beside it.
	for name, pair := range pairs(list) {
		good, other := pair[0], pair[1]
		tests := []struct {
			name   string
			change func(*cdx.Line)
			said   string // why it is rejected, or "" if it is not
		}{
			{"as it is", func(*cdx.Line) {}, ""},
			{"the neighbour's offset", func(l *cdx.Line) { l.Offset = other.Offset }, "is of"},
			{"its offset and length", func(l *cdx.Line) { l.Offset, l.Length = other.Offset, other.Length }, "is of"},
			{"offset alone is known", func(l *cdx.Line) {
				*l = cdx.Line{SURT: "-", URL: l.URL, Offset: other.Offset, Filename: l.Filename}
			}, "is of"},
			{"another URL", func(l *cdx.Line) { l.URL += "x" }, "is of"},
			{"another query", func(l *cdx.Line) { l.URL += "?a=1" }, "is of"},
			{"the twin of https", func(l *cdx.Line) { l.URL, l.Digest = twin(l.URL), "" }, "is of"},
			{"a twin of the same bytes", func(l *cdx.Line) { l.URL = twin(l.URL) }, ""},
			{"another day", func(l *cdx.Line) { l.Timestamp = l.Timestamp.AddDate(0, 0, 1) }, "the line of"},
			{"some seconds later", func(l *cdx.Line) { l.Timestamp = l.Timestamp.Add(3 * time.Second) }, "the line of"},
			{"another digest", func(l *cdx.Line) { l.Digest = digest.SHA1([]byte("another page")) }, "has the digest"},
			{"the digest in hexadecimal", func(l *cdx.Line) { l.Digest = hexadecimal(t, l.Digest) }, ""},
			{"a digest of another kind", func(l *cdx.Line) { l.Digest = "md5:1B2M2Y8AsgTpgAmY7PhCfg==" }, ""},
			{"nothing but the place", func(l *cdx.Line) { l.SURT, l.URL, l.Digest, l.Timestamp = "-", "", "", time.Time{} }, ""},
			{"host in capitals", func(l *cdx.Line) { l.URL = capitals(l.URL) }, ""},
		}
		for _, tt := range tests {
			t.Run(name+"/"+tt.name, func(t *testing.T) {
				l := good
				tt.change(&l)
				got := readIndex(t, l.AppendTo(nil), "")
				if tt.said == "" {
					if len(got.captures) != 1 || len(got.rejects) > 0 {
						t.Fatalf("%d captures, rejects %v; want 1 capture", len(got.captures), got.rejects)
					}
					return
				}
				if len(got.captures) != 0 || len(got.rejects) != 1 {
					t.Fatalf("captures %.200v, rejects %v; want 1 reject", got.captures, got.rejects)
				}
				r := got.rejects[0]
				if !strings.Contains(r.Message, tt.said) || r.Kind != schemas.KindGarbage || got.counts.BytesLost == 0 {
					t.Errorf("rejected %+v, lost %d; want a message with %q", r, got.counts.BytesLost, tt.said)
				}
			})
		}
	}
}

// TestIndex_digestsOfCDX: lines of CDX that name URL and second are read whatever their digest is of; with one of the
// two unknown the digest decides.
func TestIndex_digestsOfCDX(t *testing.T) {
	_, list := shelf(t)
	for name, pair := range pairs(list) {
		l := pair[0]
		l.Digest = digest.SHA1([]byte("the block"))
		odd := strings.Replace(string(columns([]cdx.Line{l})), fmt.Sprint(" ", l.Status, " "), " html> ", 1)
		for _, text := range []string{string(columns([]cdx.Line{l})), string(wpull([]cdx.Line{l})), odd} {
			if got := readIndex(t, []byte(text), ""); len(got.captures) != 1 || len(got.rejects) > 0 {
				t.Errorf("%s: %q gives %d captures, rejects %v", name, text, len(got.captures), got.rejects)
			}
		}
		minute := strings.Replace(string(columns([]cdx.Line{l})), l.Timestamp.Format("20060102150405"),
			l.Timestamp.Format("200601021504"), 1)
		other := l
		other.URL = strings.Replace(l.URL, "http", "HTTP", 1)
		for _, text := range []string{minute, string(columns([]cdx.Line{other})), string(objects([]cdx.Line{l}))} {
			if got := readIndex(t, []byte(text), ""); len(got.captures) != 0 || len(got.rejects) != 1 {
				t.Errorf("%s: %q gives %d captures, rejects %v", name, text, len(got.captures), got.rejects)
			}
		}
	}
}

// pairs returns two lines that are beside each other for each archive.
func pairs(list []cdx.Line) map[string][2]cdx.Line {
	m := map[string][2]cdx.Line{}
	for i := 1; i < len(list); i++ {
		a, b := list[i-1], list[i]
		web := strings.HasPrefix(a.URL, "http") && strings.HasPrefix(a.Digest, "sha1:")
		if web && a.Filename == b.Filename && a.URL != b.URL {
			m[a.Filename] = [2]cdx.Line{a, b}
		}
	}
	return m
}

func twin(url string) string {
	if rest, ok := strings.CutPrefix(url, "https:"); ok {
		return "http:" + rest
	}
	return "https:" + strings.TrimPrefix(url, "http:")
}

func capitals(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	host, path, _ := strings.Cut(rest, "/")
	return scheme + "://" + strings.ToUpper(host) + "/" + path
}

func hexadecimal(t *testing.T, label string) string {
	d, err := digest.Parse(label)
	if err != nil {
		t.Fatal(err)
	}
	_, sum, _ := strings.Cut(d.String(), ":")
	b, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(sum)
	if err != nil {
		t.Fatal(err)
	}
	return d.Algorithm() + ":" + hex.EncodeToString(b)
}

// TestIndex_twoLinesForARecord: of two lines that lead to one record, that of another URL is not a second line for it,
// whichever comes first.
func TestIndex_twoLinesForARecord(t *testing.T) {
	_, list := shelf(t)
	for name, pair := range pairs(list) {
		wrong := pair[1]
		wrong.Offset, wrong.Length = pair[0].Offset, pair[0].Length
		for order, lines := range map[string][]cdx.Line{
			"wrong first": {wrong, pair[0]}, "wrong last": {pair[0], wrong}, "three": {pair[0], wrong, pair[0]},
		} {
			got := readIndex(t, cdxj(lines), "")
			if len(got.captures) != 1 || len(got.rejects) != 1 || !strings.Contains(got.captures[0], pair[0].URL) {
				t.Errorf("%s, %s: captures %.100v, rejects %v; want one of each", name, order, got.captures, got.rejects)
			}
		}
	}
}

func TestTarget_isTime(t *testing.T) {
	when := time.Date(2024, 5, 17, 12, 30, 59, 600_000_000, time.UTC)
	for _, tt := range []struct {
		stamp string
		want  bool
	}{
		{"20240517123059", true},
		{"20240517123100", true}, // rounded
		{"20240517123058", false},
		{"20240517123101", false},
		{"202405171230", true},
		{"202405171229", false},
		{"2024", true},
		{"2023", false},
		{"-", true},
		{"20240517123059600", true},
	} {
		l, err := cdx.Parse([]byte("com,example)/ " + tt.stamp + ` {"offset":"0"}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := (&target{time: when}).isTime(l); got != tt.want {
			t.Errorf("isTime(%s) = %v, want %v", tt.stamp, got, tt.want)
		}
	}
}
