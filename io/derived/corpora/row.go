package corpora

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
	"github.com/gleaner-web/gleaner/transforms/licence"
)

// Row is a document of a corpus. Training tools expect the first columns.
type Row struct {
	Text          string        `json:"text" parquet:"text"`
	ID            string        `json:"id" parquet:"id"`
	URL           string        `json:"url" parquet:"url"`
	Date          string        `json:"date" parquet:"date"` // of the capture, RFC 3339, UTC
	Language      string        `json:"language" parquet:"language,dict"`
	LanguageScore schemas.Float `json:"language_score" parquet:"language_score"` // 0 to 1
	Title         string        `json:"title" parquet:"title"`
	Host          string        `json:"host" parquet:"host,dict"`
	Domain        string        `json:"domain" parquet:"domain,dict"`
	MediaType     string        `json:"media_type" parquet:"media_type,dict"`
	PageType      string        `json:"page_type" parquet:"page_type,dict"`
	Digest        string        `json:"digest" parquet:"digest"` // of the body
	RecordID      string        `json:"record_id" parquet:"record_id"`
	Filename      string        `json:"filename" parquet:"filename,dict"`
	Offset        int64         `json:"offset" parquet:"offset"`
	// License is the licence that the page states for itself, as in SPDX, or ""
	License string `json:"license" parquet:"license,dict"`

	Tokens int64  `json:"-" parquet:"-"` // of the text, if Options.Tokens is set
	Extra  []byte `json:"-" parquet:"-"` // the values of Options.Columns as JSON
}

// document returns the row for writers of other formats.
func (r *Row) document() *schemas.Document {
	return &schemas.Document{
		URL: r.URL, Timestamp: r.Date, Text: r.Text, Language: r.Language, RecordID: r.RecordID, Filename: r.Filename,
		Offset: r.Offset, Digest: r.Digest,
	}
}

// Refused is a document that is not in the corpus, and the reason: a filter with its finding, or a kind of duplicate.
type Refused struct {
	Row
	Reason string `json:"reason"`
}

// newRow returns the row of a judged page.
func newRow(p *filter.Page) Row {
	d := p.Doc
	return Row{
		Text: p.Text, URL: d.URL, Date: d.Timestamp, Language: d.Language, LanguageScore: schemas.Float(p.Score()),
		Title: d.Title, Host: d.Host, Domain: d.Domain, MediaType: d.MIMEDetected, PageType: d.PageType, Digest: d.Digest,
		RecordID: d.RecordID, Filename: d.Filename, Offset: d.Offset, License: licenseOf(d), Tokens: int64(p.Tokens()),
	}
}

// licenseOf returns the licence of the page itself, which comes first; others are of pictures or parts.
func licenseOf(d *schemas.Document) string {
	if len(d.Licenses) == 0 || d.Licenses[0].Scope != licence.OfPage {
		return ""
	}
	return d.Licenses[0].Name
}

// flow returns the row as an amount.
func (r *Row) flow() filter.Flow {
	return filter.Flow{Documents: 1, Bytes: int64(len(r.Text)), Tokens: r.Tokens}
}

// identify sets the ID of a row: a hash of its capture and text. The same capture with the same text has the same ID in
// every corpus. It returns the row's sort key, which depends on the seed: another seed is another shuffle.
func identify(r *Row, sequence int, seed string) (order [idBytes]byte) {
	h := captureHash(r.URL, r.Date, r.Filename, r.Offset, sequence)
	h.Write([]byte(r.Text))
	sum := h.Sum(nil)
	r.ID = hex.EncodeToString(sum[:idBytes])
	h.Reset()
	h.Write(sum)
	h.Write([]byte(seed))
	copy(order[:], h.Sum(nil))
	return order
}

// captureHash begins a hash with the identity of a capture.
func captureHash(url, date, filename string, offset int64, sequence int) hash.Hash {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%d\n%d\n", url, date, filename, offset, sequence)
	return h
}

const idBytes = 16

// Partition says how the files of a corpus are divided.
type Partition string

// The partitions.
const (
	ByNothing  Partition = ""
	ByLanguage Partition = "language"
	ByDate     Partition = "date" // month of the capture
	ByDomain   Partition = "domain"
)

// of returns the partition of a row, which is part of file names and sort keys.
func (p Partition) of(r *Row) string {
	var value string
	switch p {
	case ByLanguage:
		value = r.Language
	case ByDate:
		value = r.Date[:min(len("2026-01"), len(r.Date))]
	case ByDomain:
		value = r.Domain
	default:
		return ""
	}
	if value == "" {
		return "unknown"
	}
	// Host names in archives may be anything.
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '-' {
			return c
		}
		return '_'
	}, value[:min(len(value), 100)])
}
