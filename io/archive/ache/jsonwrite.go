package ache

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
)

// jsonCarries are the fields that an object of TargetModelJson holds.
var jsonCarries = []string{
	"timestamp", "header", "mime_declared", redirect, requested,
	"crawl." + schemas.CrawlCrawler, "crawl." + schemas.CrawlRelevance, "crawl." + schemas.CrawlRelevant,
}

// AppendJSON appends the object of a capture, as in messages of KAFKA and lines of FILES. A capture without URL is an
// error of kind [dump.ErrRefused], and one without a body to send, as of
// a repeated page, of kind [dump.ErrNoPage].
func AppendJSON(b []byte, c *schemas.Capture) ([]byte, error) {
	if c.RequestedURL() == "" {
		return b, fmt.Errorf("ache: %w: its URL is not known", dump.ErrRefused)
	}
	if err := dump.CheckBody(c); err != nil {
		return b, fmt.Errorf("ache: %w", err)
	}
	return appendPage(b, c, &dump.Losses{}), nil
}

// appendPage appends c like ACHE's class TargetModelJson: keys in this order, null for unknown values, and only the
// escapes that JSON needs. ACHE's reader refuses other keys.
func appendPage(b []byte, c *schemas.Capture, l *dump.Losses) []byte {
	// The order of keys is that of the class's fields, as Jackson writes them.
	b = appendString(append(b, `{"url":`...), c.RequestedURL())
	b = append(b, `,"redirected_url":`...)
	if c.Crawl[schemas.CrawlRequested] != "" {
		b = appendString(b, c.URL)
	} else {
		b = append(b, "null"...)
	}
	b = append(b, `,"content":"`...)
	// Encoded into the line, because a body may be tens of megabytes.
	b = base64.StdEncoding.AppendEncode(b, c.Body)
	b = appendNullable(append(b, `","content_type":`...), c.MIMEDeclared)
	b = appendHeader(append(b, `,"response_headers":`...), c.Header)
	b = append(b, `,"fetch_time":`...)
	if c.Timestamp.IsZero() {
		b = append(b, '0')
	} else {
		b = strconv.AppendInt(b, c.Timestamp.UnixMilli(), 10)
	}
	b = appendRelevance(append(b, `,"relevance":`...), c, l)
	b = appendNullable(append(b, `,"crawler_id":`...), c.Crawl[schemas.CrawlCrawler])
	return append(b, '}')
}

func appendNullable(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return appendString(b, s)
}

// appendHeader appends an object with a list of values for each field name, in the order of first fields.
func appendHeader(b []byte, fields []schemas.Field) []byte {
	if len(fields) == 0 {
		return append(b, "null"...)
	}
	var names []string
	// Grouped by name, because JSON readers would keep only the last of equal keys.
	byName := map[string][]string{}
	for _, f := range fields {
		if byName[f.Name] == nil {
			names = append(names, f.Name)
		}
		byName[f.Name] = append(byName[f.Name], f.Value)
	}
	for i, name := range names {
		// Bracket before the first, comma before each other.
		b = append(b, ",{"[boolIndex(i == 0)])
		b = append(appendString(b, name), ':')
		for j, v := range byName[name] {
			b = append(b, ",["[boolIndex(j == 0)])
			b = appendString(b, v)
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

func boolIndex(b bool) int {
	if b {
		return 1
	}
	return 0
}

// appendRelevance appends the classifier's judgement. Its object has both parts or is null.
func appendRelevance(b []byte, c *schemas.Capture, l *dump.Losses) []byte {
	score, err := strconv.ParseFloat(c.Crawl[schemas.CrawlRelevance], 64)
	relevant := c.Crawl[schemas.CrawlRelevant]
	// ACHE's class cannot hold one without the other, so a single part is lost.
	if err != nil || relevant == "" {
		for _, name := range []string{schemas.CrawlRelevance, schemas.CrawlRelevant} {
			if c.Crawl[name] != "" {
				l.Drop("crawl." + name)
			}
		}
		return append(b, "null"...)
	}
	b = appendDouble(append(b, `{"relevance":`...), score)
	b = append(b, `,"isRelevant":`...)
	return append(strconv.AppendBool(b, relevant == "true"), '}')
}

// appendDouble appends f like Java's Double.toString: with a point and a digit after it, and with an exponent below
// 10^-3 and from 10^7 on.
func appendDouble(b []byte, f float64) []byte {
	size := f
	if size < 0 {
		size = -size
	}
	if size != 0 && (size < 1e-3 || size >= 1e7) {
		s := strconv.FormatFloat(f, 'E', -1, 64)
		mantissa, exponent, _ := strings.Cut(s, "E")
		// "1E10" is "1.0E10" in Java.
		if !strings.Contains(mantissa, ".") {
			mantissa += ".0"
		}
		// Atoi drops the plus sign and the zero of "E+07", which Java does not write.
		n, _ := strconv.Atoi(exponent) // FormatFloat wrote it
		return strconv.AppendInt(append(append(b, mantissa...), 'E'), int64(n), 10)
	}
	start := len(b)
	b = strconv.AppendFloat(b, f, 'f', -1, 64)
	if !slices.Contains(b[start:], '.') {
		b = append(b, ".0"...)
	}
	return b
}

// appendString appends s as Jackson writes it. Bytes that are not UTF-8 become U+FFFD.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		// Jackson leaves the rest as it is, also "/", "<" and U+2028.
		case r >= ' ':
			b = utf8.AppendRune(b, r)
		default:
			// Escapes with a letter.
			if i := strings.IndexRune("\b\t\n\f\r", r); i >= 0 {
				b = append(b, '\\', "btnfr"[i])
			} else {
				b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&0xf])
			}
		}
	}
	return append(b, '"')
}
