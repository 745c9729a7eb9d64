package parquetfile

import (
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// LinkForm is the version of how rows of links are written down, as the file's own metadata has it.
const LinkForm = "2"

// linkRow is a Link as a row. Field ids are never used again: the next column has 13. Rows of one page are together, so
// dictionaries make its five columns tiny.
type linkRow struct {
	SURT         string    `parquet:"surt,optional,dict,id(1)"`
	URL          string    `parquet:"url,dict,id(2)"`
	Host         string    `parquet:"host,optional,dict,id(3)"`
	Domain       string    `parquet:"domain,optional,dict,id(4)"`
	Timestamp    time.Time `parquet:"timestamp,optional,timestamp(microsecond:utc),id(5)"`
	Target       string    `parquet:"target,id(6)"`
	TargetSURT   string    `parquet:"target_surt,optional,id(7)"`
	TargetHost   string    `parquet:"target_host,optional,dict,id(8)"`
	TargetDomain string    `parquet:"target_domain,optional,dict,id(9)"`
	Text         string    `parquet:"text,optional,id(10)"`
	Rel          string    `parquet:"rel,optional,dict,id(11)"`
	Place        string    `parquet:"place,dict,id(12)"`
}

// appendLinks appends the links of a page as they wait to be sorted: the page's fields, then the fields of each link.
// Each is a length and a text.
func appendLinks(b []byte, links []schemas.Link) []byte {
	text := func(s string) {
		// Parquet's strings are UTF-8, as those of JSON.
		s = strings.ToValidUTF8(s, "\uFFFD")
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	l := &links[0]
	for _, s := range []string{l.SURT, l.URL, l.Host, l.Domain, l.Timestamp} {
		text(s)
	}
	for i := range links {
		l := &links[i]
		for _, s := range []string{l.Target, l.TargetSURT, l.TargetHost, l.TargetDomain, l.Text, l.Rel, l.Place} {
			text(s)
		}
	}
	return b
}

// parseLinks gives the rows of what appendLinks wrote to emit. They are valid until the next record.
func parseLinks(b []byte, emit func(linkRow) error) error {
	damaged := false
	text := func() string {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > uint64(len(b)-size) {
			damaged, b = true, nil
			return ""
		}
		s := string(b[size : size+int(n)])
		b = b[size+int(n):]
		return s
	}
	page := linkRow{SURT: text(), URL: text(), Host: text(), Domain: text()}
	var err error
	if page.Timestamp, err = parseTime(text()); err != nil {
		return err
	}
	for len(b) > 0 {
		r := page
		r.Target, r.TargetSURT, r.TargetHost, r.TargetDomain = text(), text(), text(), text()
		r.Text, r.Rel, r.Place = text(), text(), text()
		if damaged {
			return errors.New("temporary file is damaged")
		}
		if err := emit(r); err != nil {
			return err
		}
	}
	return nil
}

func (r *linkRow) link() schemas.Link {
	l := schemas.Link{
		SURT: r.SURT, URL: r.URL, Host: r.Host, Domain: r.Domain, Target: r.Target, TargetSURT: r.TargetSURT,
		TargetHost: r.TargetHost, TargetDomain: r.TargetDomain, Text: r.Text, Rel: r.Rel, Place: r.Place,
	}
	if !r.Timestamp.IsZero() {
		l.Timestamp = r.Timestamp.UTC().Format(time.RFC3339Nano)
	}
	return l
}
