package sourcedb

import "testing"

// FuzzLink: the line of a link is what package encoding/json makes of it.
func FuzzLink(f *testing.F) {
	f.Add("https://a.example/1", "2026-03-01T00:00:00Z", "0011223344556677", "a.warc.gz", int64(12))
	f.Add("a\"\\<b>&\u2028\xff", "", "", "", int64(-1))
	f.Fuzz(func(t *testing.T, url, timestamp, id, file string, offset int64) {
		l := Link{URL: url, Timestamp: timestamp, Source: id, Filename: file, Offset: offset}
		want, err := lineOf(l)
		must(t, err)
		if got := l.appendTo(nil); string(got) != string(want) {
			t.Errorf("%s, want %s", got, want)
		}
	})
}
