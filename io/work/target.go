package work

import (
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/digest"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// target is the record to which lines of an index refer, for comparison.
type target struct {
	file   string
	offset int64
	url    string
	time   time.Time
	digest digest.Digest
	coded  bool // the payload has a transfer coding, which other programs may include in the digest
}

// newTarget returns the properties of c, the record that w refers to.
func newTarget(w wanted, c *schemas.Capture) *target {
	t := &target{file: w.file, offset: w.Offset, url: c.URL, time: c.Timestamp}
	t.coded = c.Get("Transfer-Encoding") != ""
	// The bytes of a damaged record prove nothing; its flags show the damage.
	if !schemas.Damaged(c.Flags) {
		// An invalid digest stays zero, and is not compared.
		t.digest, _ = digest.Parse(c.Digest)
	}
	return t
}

// differs returns the reason why the record does not fit the line, or "". It does not compare values that either lacks.
func (t *target) differs(l cdx.Line) string {
	want, err := digest.Parse(l.Digest)
	comparable := err == nil && want.Algorithm() == t.digest.Algorithm()
	same := comparable && want.Equal(t.digest)
	at := fmt.Sprintf("at byte %d of %s", t.offset, t.file)
	switch {
	case !t.isURL(l, same):
		return fmt.Sprintf("the record %s is of %.500s", at, t.url)
	case !t.isTime(l):
		return fmt.Sprintf("the record %s is of %s, the line of %s", at, t.time.Format(time.RFC3339),
			l.Timestamp.Format(time.RFC3339))
	case comparable && !same && !t.coded && !t.isNamed(l):
		return fmt.Sprintf("the record %s has the digest %s, the line %s", at, t.digest, l.Digest)
	}
	return ""
}

// isNamed reports whether a line of a CDX file has exactly the record's URL and second, so that another digest does not
// prove another record. CDX does not define the content of digests. Programs use the payload with its transfer coding,
// the block or the decoded text; CDXJ uses the payload.
func (t *target) isNamed(l cdx.Line) bool {
	return l.Columns && l.URL == t.url && l.Digits == 0 && !l.Timestamp.IsZero() && !t.time.IsZero()
}

// isURL reports whether the line has the record's URL. It compares keys, because indexes and archives may write one URL
// in different ways. URLs with the same key, such as http and https, count as different unless sameDigest says that
// their content is the same.
func (t *target) isURL(l cdx.Line, sameDigest bool) bool {
	if l.URL == "" {
		// Alexa's keys are not SURTs, and other programs make SURTs by other rules.
		return l.SURT == "" || !strings.Contains(l.SURT, ")") || urlkey.SURT(t.url) == l.SURT || sameDigest
	}
	if l.URL == t.url {
		return true
	}
	return (urlkey.SURT(t.url) == urlkey.SURT(l.URL) || inOwnWords(t.url, l.URL)) &&
		(sameDigest || origin(t.url) == origin(l.URL))
}

// inOwnWords reports whether an index may have written a URL that is not UTF-8 in another way. Some programs take its
// bytes for ISO 8859-1, others use one sign for all of them. Then only the ASCII part can be compared.
func inOwnWords(record, index string) bool {
	raw := unescaped(record)
	return !utf8.ValidString(raw) && withoutBeyond(raw) == withoutBeyond(unescaped(index))
}

func unescaped(s string) string {
	if raw, err := url.PathUnescape(s); err == nil {
		return raw
	}
	return s
}

func withoutBeyond(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf {
			return -1
		}
		return r
	}, s)
}

// origin returns the scheme and the host of a URL.
func origin(s string) string {
	scheme, _, _ := strings.Cut(s, ":")
	host := urlkey.Host(s)
	// Host leaves out the port, which distinguishes servers.
	if u, err := url.Parse(s); err == nil && u.Port() != "" {
		host += ":" + u.Port()
	}
	return strings.ToLower(scheme) + "://" + strings.TrimSuffix(strings.TrimSuffix(host, ":80"), ":443")
}

// isTime reports whether the line has the record's time, to the precision of the line.
func (t *target) isTime(l cdx.Line) bool {
	if t.time.IsZero() || l.Timestamp.IsZero() {
		return true
	}
	const layout = "20060102150405"
	n := len(layout)
	if l.Digits > 0 {
		n = min(n, l.Digits)
	}
	// Some programs drop the fraction of a second, others round it.
	want := l.Timestamp.UTC().Format(layout)[:n]
	rounded := t.time.UTC().Add(time.Second / 2)
	return t.time.UTC().Format(layout)[:n] == want || rounded.Format(layout)[:n] == want
}
