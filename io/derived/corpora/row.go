package corpora

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
)

// Row is a document of a corpus. The first columns are those that training tools expect.
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
}

// document is a row as a writer of other formats takes it.
func (r *Row) document() *schemas.Document {
	return &schemas.Document{
		URL: r.URL, Timestamp: r.Date, Text: r.Text, Language: r.Language, RecordID: r.RecordID, Filename: r.Filename,
		Offset: r.Offset, Digest: r.Digest,
	}
}

// Refused is a document that is not in the corpus, and why: a filter and what it found, or a kind of duplicate.
type Refused struct {
	Row
	Reason string `json:"reason"`
}

// newRow makes the row of a page that was judged.
func newRow(p *filter.Page) Row {
	d := p.Doc
	return Row{
		Text: p.Text, URL: d.URL, Date: d.Timestamp, Language: d.Language, LanguageScore: schemas.Float(p.Score()),
		Title: d.Title, Host: d.Host, Domain: d.Domain, MediaType: d.MIMEDetected, PageType: d.PageType, Digest: d.Digest,
		RecordID: d.RecordID, Filename: d.Filename, Offset: d.Offset,
	}
}

// identify gives a row its id: a hash of which capture it is, and of its text, so that the same capture has the same
// one in every corpus that has the same text of it. It returns the place of the row in the order too, which depends on
// the seed: another seed is another shuffle.
func identify(r *Row, sequence int, seed string) (order [idBytes]byte) {
	h := captureHash(r.URL, r.Date, r.Filename, r.Offset, sequence)
	h.Write([]byte(r.Text)) // a hash never fails to write
	sum := h.Sum(nil)
	r.ID = hex.EncodeToString(sum[:idBytes])
	h.Reset()
	h.Write(sum)
	h.Write([]byte(seed))
	copy(order[:], h.Sum(nil))
	return order
}

// captureHash begins a hash with what tells a capture from all others.
func captureHash(url, date, filename string, offset int64, sequence int) hash.Hash {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%d\n%d\n", url, date, filename, offset, sequence) // a hash never fails to write
	return h
}

const idBytes = 16

// Partition is what the files of a corpus are divided by.
type Partition string

// The partitions.
const (
	ByNothing  Partition = ""
	ByLanguage Partition = "language"
	ByDate     Partition = "date" // the month of the capture
	ByDomain   Partition = "domain"
)

// of is the partition that a row is in; it is a part of a name of a file, and of a sort key.
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
	// What hosts are called is up to whoever made the archive.
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '-' {
			return c
		}
		return '_'
	}, value[:min(len(value), 100)])
}
