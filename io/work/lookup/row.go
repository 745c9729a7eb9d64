package lookup

import (
	"encoding/base32"
	"encoding/hex"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

const seconds = time.Second

// statusFTP is the status in rows of FTP, for which an index has none.
const statusFTP = 226

// usable returns the lines that lead to a record.
func usable(lines []cdx.Line) (kept []cdx.Line) {
	for _, l := range lines {
		// Such digests belong to screenshots and failures.
		if l.Offset < 0 || l.Filename == "" || strings.HasPrefix(l.Digest, "sha-256") || l.Digest == "error" {
			continue
		}
		if l.Status == 0 && strings.HasPrefix(l.URL, "ftp://") && l.MIME != cdx.MIMERevisit {
			l.Status = statusFTP
		}
		if len(kept) == 0 || kept[len(kept)-1] != l { // an archive in two collections has its lines twice
			kept = append(kept, l)
		}
	}
	return kept
}

// pick returns the best of several lines. It prefers, in this order: the requested URL, an answer, the smallest status,
// the wanted type, no revisit, the latest, and a named crawl.
func pick(lines []cdx.Line, url, mime string) *cdx.Line {
	var best *cdx.Line
	for i := range lines {
		if best == nil || better(&lines[i], best, url, mime) {
			best = &lines[i]
		}
	}
	return best
}

// better compares by the first difference. If there is none, the first line stays.
func better(a, b *cdx.Line, url, mime string) bool {
	for _, test := range []func(l *cdx.Line) int{
		func(l *cdx.Line) int { return truth(fileset.CleanURL(l.URL) == url) },
		func(l *cdx.Line) int {
			// Formats without a status hold answers alone. Revisits without a status say nothing.
			hasNone := l.Status == 0 && l.MIME != cdx.MIMERevisit
			return truth(l.Status == 200 || l.Status == statusFTP || hasNone)
		},
		func(l *cdx.Line) int {
			if l.Status == 0 {
				return -999
			}
			return -l.Status
		},
		func(l *cdx.Line) int { return truth(mime != "" && l.MIME == mime) },
		func(l *cdx.Line) int { return truth(l.MIME != cdx.MIMERevisit) },
	} {
		if x, y := test(a), test(b); x != y {
			return x > y
		}
	}
	if !a.Timestamp.Equal(b.Timestamp) {
		return a.Timestamp.After(b.Timestamp)
	}
	_, x := place(a)
	_, y := place(b)
	return strings.Contains(x, "/") && !strings.Contains(y, "/")
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// row returns a line in the form of results.
func row(l *cdx.Line) *schemas.CDXRow {
	_, name := place(l)
	r := &schemas.CDXRow{
		SURT: l.SURT, Datetime: stamp(l.Timestamp), URL: l.URL, MIME: l.MIME, Status: l.Status, Path: name, Offset: l.Offset,
		Length: l.Length,
	}
	if digest, ok := strings.CutPrefix(l.Digest, "sha1:"); ok {
		if sum, err := base32.StdEncoding.DecodeString(digest); err == nil {
			r.SHA1B32, r.SHA1 = digest, hex.EncodeToString(sum)
		} else if sum, err := hex.DecodeString(digest); err == nil {
			r.SHA1B32, r.SHA1 = base32.StdEncoding.EncodeToString(sum), strings.ToLower(digest)
		}
	}
	return r
}

// stamp returns a time in the 14 digits of indexes.
func stamp(t time.Time) string { return t.UTC().Format("20060102150405") }
