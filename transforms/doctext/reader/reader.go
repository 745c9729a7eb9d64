// Package reader reads any document that is not HTML. It chooses among the readers of doctext, and guarantees the form
// of their results for hostile documents too.
//
//	if reader.Format(mime) != "" {
//		d := reader.Read(mime, body, doctext.Options{})
//		fmt.Println(d.Title, d.Text, d.Problems)
//	}
//
// A panic of a reader becomes a problem of the document. This package cannot stop a reader that loops or exhausts the
// memory; io/child/docsandbox runs it in a separate process.
package reader

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/message"
	"github.com/gleaner-web/gleaner/transforms/doctext/office"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf"
	"github.com/gleaner-web/gleaner/transforms/doctext/subtitle"
)

// Version is that of all readers of doctext. It changes when the same document gives another text or other metadata.
// Its first figure is for pdf and this package, the second for office formats. So old records show which of the two
// has changed.
const Version = "13." + office.Version

// MaxBody is the number of bytes read of a document. The rest of the program uses the same limit for captures. A
// longer document is read up to it and gets a problem.
const MaxBody = 64 << 20

const typePDF = "application/pdf"

// formats maps prefixes of media types to formats; the first match counts. Longer prefixes of a family come before
// shorter ones: "application/vnd.ms-excel." with its dot is a macro-enabled XLSX, without it XLS.
var formats = []struct{ prefix, name string }{
	{typePDF, "pdf"},
	{"application/vnd.openxmlformats-officedocument.wordprocessingml.", "docx"},
	{"application/vnd.openxmlformats-officedocument.spreadsheetml.", "xlsx"},
	{"application/vnd.openxmlformats-officedocument.presentationml.", "pptx"},
	{"application/vnd.ms-word.", "docx"},
	{"application/vnd.ms-excel.", "xlsx"},
	{"application/vnd.ms-powerpoint.", "pptx"},
	{"application/x-ooxml-protected", "ooxml"}, // encrypted, so the exact format is not known
	{"application/vnd.oasis.opendocument.text", "odt"},
	{"application/vnd.oasis.opendocument.spreadsheet", "ods"},
	{"application/vnd.oasis.opendocument.presentation", "odp"},
	{"application/vnd.oasis.opendocument.", "odf"},
	{"application/vnd.sun.xml.", "odf"}, // from OpenOffice.org 1
	{"application/epub+zip", "epub"},
	{"application/rtf", "rtf"},
	{"application/vnd.ms-wordml", "wordml"},
	{"application/vnd.ms-spreadsheetml", "spreadsheetml"},
	{"message/rfc822", "eml"},
	{"message/news", "eml"},
	{"message/x-emlx", "eml"},
	{"application/mbox", "mbox"},
	{"text/vtt", "vtt"},
	{"application/x-subrip", "srt"},
	{"application/msword", "doc"},
	{"application/vnd.ms-excel", "xls"},
	{"application/vnd.ms-powerpoint", "ppt"},
}

// Format returns the usual file extension for a media type: "pdf", "docx", "epub" and so on. Parameter mime is in
// lower case and without parameters. The result is "" for formats that are not read.
func Format(mime string) string {
	for _, f := range formats {
		if strings.HasPrefix(mime, f.prefix) {
			return f.name
		}
	}
	return ""
}

// Read reads a document of the media type mime. It never returns nil: if nothing can be read, the problems say why.
// The result shares no memory with body.
func Read(mime string, body []byte, o doctext.Options) (d *doctext.Document) {
	// A panic may leave d half-filled, so it is replaced. Fatal errors of the runtime (memory, deadlock) cannot be
	// recovered.
	defer func() {
		if p := recover(); p != nil {
			d = &doctext.Document{}
			d.Add(doctext.KindCrashed, fmt.Sprint("panic: ", p))
		}
	}()
	cut := len(body) > MaxBody
	d, err := read(mime, body[:min(len(body), MaxBody)], o)
	// An error comes without a document, but records need one. The problem gives the reason.
	if d == nil {
		d = &doctext.Document{}
	}
	if err != nil {
		d.Add(doctext.KindDamaged, err.Error())
	}
	if cut {
		d.Add(doctext.KindLimit, fmt.Sprintf("only the first %d MiB are read", MaxBody>>20))
	}
	// This comes last, so that the results of recover and the readers obey the same bounds.
	tidy(d, o.WithDefaults())
	// The subjects and senders of messages are by people.
	if f := Format(mime); f != "eml" && f != "mbox" {
		settle(d)
	}
	return d
}

func read(mime string, body []byte, o doctext.Options) (*doctext.Document, error) {
	switch Format(mime) {
	case "pdf":
		return pdf.Read(body, o)
	case "eml", "mbox":
		return message.Read(body, o)
	case "vtt", "srt":
		return subtitle.Read(body, o), nil
	case "":
		d := &doctext.Document{}
		d.Add(doctext.KindUnsupported, "documents of this type are not read")
		return d, nil
	}
	return office.Read(mime, body, o)
}

// Bounds of metadata, the same as for pages (transforms/pagemeta).
const (
	maxLine     = 4096 // bytes of a title or a description
	maxName     = 160  // bytes
	maxNames    = 32
	maxTags     = 64
	maxProblems = 20
)

// tidy makes all text valid UTF-8, bounds it, and drops empty values.
func tidy(d *doctext.Document, o doctext.Options) {
	// Replacing bad bytes may triple their number (U+FFFD has three), so the bound is checked afterwards.
	if !utf8.ValidString(d.Text) {
		d.Text, d.Blocks = strings.ToValidUTF8(d.Text, "\uFFFD"), nil // offsets have moved
	}
	if len(d.Text) > o.MaxText {
		d.Text, d.Blocks = cut(d.Text, o.MaxText), nil
		d.Add(doctext.KindLimit, fmt.Sprintf("the text is cut at %d bytes", o.MaxText))
	}
	if strings.TrimSpace(d.Text) == "" {
		d.Text = ""
	}
	d.Title, d.Shown, d.Description = line(d.Title, maxLine), line(d.Shown, maxLine), line(d.Description, maxLine)
	d.Publisher, d.Generator = line(d.Publisher, maxName), line(d.Generator, maxName)
	d.Language = line(d.Language, maxName)
	d.Reservation, d.Policy = line(d.Reservation, maxName), line(d.Policy, maxLine)
	d.Authors, d.Tags = lines(d.Authors, maxNames), lines(d.Tags, maxTags)
	d.Rights = d.Rights[:min(len(d.Rights), maxNames)]
	for i := range d.Rights {
		d.Rights[i] = line(d.Rights[i], maxLine)
	}
	d.Created, d.Modified = date(d.Created), date(d.Modified)
	// The list is bounded although Add allows one of each kind: included documents and child processes may add more.
	d.Pages = max(d.Pages, 0)
	d.Problems = d.Problems[:min(len(d.Problems), maxProblems)]
	for i := range d.Problems {
		d.Problems[i].Message = line(d.Problems[i].Message, maxLine)
	}
}

// line returns s in one line of at most limit bytes. Control characters count as white space.
func line(s string, limit int) string {
	// Four times the limit leaves room for removed white space. So a hostile title of 60 MB is not split as a whole.
	s = strings.ToValidUTF8(cut(s, 4*limit), "\uFFFD")
	// C0 and C1 controls, DEL and the no-break space (U+00A0) all count as white space.
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7F && r <= 0xA0 }), " ")
	return strings.TrimSpace(cut(s, limit))
}

// lines returns the distinct non-empty lines of a list, at most limit.
func lines(list []string, limit int) []string {
	var kept []string
	for _, s := range list {
		if s = line(s, maxName); s != "" && len(kept) < limit && !slices.Contains(kept, s) {
			kept = append(kept, s)
		}
	}
	return kept
}

// date returns s if it is a valid date, and "" otherwise. Readers return the text in the document; "2024-02-30" or
// "yesterday" would make a whole row of a typed table fail.
func date(s string) string {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if _, err := time.Parse(layout, s); err == nil {
			return s
		}
	}
	return ""
}

// cut returns at most limit bytes of s, in whole characters.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	// A byte 10xxxxxx is inside a character: step back to where it begins.
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
