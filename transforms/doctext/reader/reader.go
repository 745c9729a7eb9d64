// Package reader reads any document that is not HTML: it chooses among the readers of doctext, and makes sure that what
// they return is as the rest of the program expects it, whatever the document does to them.
//
//	if reader.Format(mime) != "" {
//		d := reader.Read(mime, body, doctext.Options{})
//		fmt.Println(d.Title, d.Text, d.Problems)
//	}
//
// A panic of a reader becomes a problem of the document. A reader that loops or exhausts the memory is beyond this
// package: io/child/docsandbox calls it in a process of its own.
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

// Version is that of all readers of doctext: it changes when the same document gives another text or other metadata.
// Its first figure is for pdf and this package. The readers of office formats have their own part, so that a change
// there alone can be distinguished from one of the PDF reader in a record that was written earlier.
const Version = "4." + office.Version

// MaxBody is how many bytes of a document are read. The rest of the program takes captures up to that size too; what
// is longer is read as far as that, and a problem says so.
const MaxBody = 64 << 20

const typePDF = "application/pdf"

// formats name the formats of media types that begin as given; the first that fits counts. Order matters: the longer
// prefixes of one family stand before the shorter ones that would take them too ("application/vnd.ms-excel." with its
// dot is a macro-enabled XLSX, without it XLS).
var formats = []struct{ prefix, name string }{
	{typePDF, "pdf"},
	{"application/vnd.openxmlformats-officedocument.wordprocessingml.", "docx"},
	{"application/vnd.openxmlformats-officedocument.spreadsheetml.", "xlsx"},
	{"application/vnd.openxmlformats-officedocument.presentationml.", "pptx"},
	{"application/vnd.ms-word.", "docx"},
	{"application/vnd.ms-excel.", "xlsx"},
	{"application/vnd.ms-powerpoint.", "pptx"},
	{"application/x-ooxml-protected", "ooxml"}, // encrypted: which of them is not known
	{"application/vnd.oasis.opendocument.text", "odt"},
	{"application/vnd.oasis.opendocument.spreadsheet", "ods"},
	{"application/vnd.oasis.opendocument.presentation", "odp"},
	{"application/vnd.oasis.opendocument.", "odf"},
	{"application/vnd.sun.xml.", "odf"}, // as OpenOffice.org 1 wrote it
	{"application/epub+zip", "epub"},
	{"application/rtf", "rtf"},
	{"application/vnd.ms-wordml", "wordml"},
	{"application/vnd.ms-spreadsheetml", "spreadsheetml"},
	{"message/rfc822", "eml"},
	{"message/news", "eml"},
	{"message/x-emlx", "eml"},
	{"text/vtt", "vtt"},
	{"application/x-subrip", "srt"},
	{"application/msword", "doc"},
	{"application/vnd.ms-excel", "xls"},
	{"application/vnd.ms-powerpoint", "ppt"},
}

// Format names the format of a media type, in lower case and without parameters, by the usual ending of its files,
// whatever the variant: "pdf", "docx", "epub" and so on; "" for what is not read here.
func Format(mime string) string {
	for _, f := range formats {
		if strings.HasPrefix(mime, f.prefix) {
			return f.name
		}
	}
	return ""
}

// Read returns what is read of a document of the media type mime. It never returns nil: of a document of which nothing
// can be read, the problems say why. It shares no memory with body.
func Read(mime string, body []byte, o doctext.Options) (d *doctext.Document) {
	// A panic may leave d half-filled, so it is replaced. Fatal errors of the runtime (memory,
	// deadlock) do not come by here.
	defer func() {
		if p := recover(); p != nil {
			d = &doctext.Document{}
			d.Add(doctext.KindCrashed, fmt.Sprint("panic: ", p))
		}
	}()
	cut := len(body) > MaxBody
	d, err := read(mime, body[:min(len(body), MaxBody)], o)
	// An error comes without a document, and records have to have one: the problem carries the
	// reason.
	if d == nil {
		d = &doctext.Document{}
	}
	if err != nil {
		d.Add(doctext.KindDamaged, err.Error())
	}
	if cut {
		d.Add(doctext.KindLimit, fmt.Sprintf("only the first %d MiB are read", MaxBody>>20))
	}
	// Last, so that what recover or the readers left obeys the same bounds.
	tidy(d, o.WithDefaults())
	return d
}

func read(mime string, body []byte, o doctext.Options) (*doctext.Document, error) {
	switch Format(mime) {
	case "pdf":
		return pdf.Read(body, o)
	case "eml":
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

// Bounds of metadata, as those of pages have them (transforms/pagemeta).
const (
	maxLine     = 4096 // bytes of a title or a description
	maxName     = 160  // bytes
	maxNames    = 32
	maxTags     = 64
	maxProblems = 20
)

// tidy makes all text UTF-8, bounds it, and drops what says nothing.
func tidy(d *doctext.Document, o doctext.Options) {
	// Replacing bad bytes may triple their number (U+FFFD has three), so the bound is asked
	// afterwards.
	if d.Text = strings.ToValidUTF8(d.Text, "\uFFFD"); len(d.Text) > o.MaxText {
		d.Text = cut(d.Text, o.MaxText)
		d.Add(doctext.KindLimit, fmt.Sprintf("the text is cut at %d bytes", o.MaxText))
	}
	if strings.TrimSpace(d.Text) == "" {
		d.Text = ""
	}
	d.Title, d.Description = line(d.Title, maxLine), line(d.Description, maxLine)
	d.Publisher, d.Generator = line(d.Publisher, maxName), line(d.Generator, maxName)
	d.Language = line(d.Language, maxName)
	d.Authors, d.Tags = lines(d.Authors, maxNames), lines(d.Tags, maxTags)
	d.Created, d.Modified = date(d.Created), date(d.Modified)
	// The list is bounded although Add allows one of a kind: problems of included documents, and of
	// child processes, may come from elsewhere.
	d.Pages = max(d.Pages, 0)
	d.Problems = d.Problems[:min(len(d.Problems), maxProblems)]
	for i := range d.Problems {
		d.Problems[i].Message = line(d.Problems[i].Message, maxLine)
	}
}

// line is s in one line of at most limit bytes. Control characters are white space.
func line(s string, limit int) string {
	// Four times the limit is enough for what white space takes away; a hostile title of 60 MB is not
	// split into words whole.
	s = strings.ToValidUTF8(cut(s, 4*limit), "\uFFFD")
	// C0 and C1 controls, DEL and the no-break space (U+00A0): all of them are white space to a
	// reader of a list of titles.
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7F && r <= 0xA0 }), " ")
	return strings.TrimSpace(cut(s, limit))
}

// lines are the distinct ones of a list that are not empty, at most limit.
func lines(list []string, limit int) []string {
	var kept []string
	for _, s := range list {
		if s = line(s, maxName); s != "" && len(kept) < limit && !slices.Contains(kept, s) {
			kept = append(kept, s)
		}
	}
	return kept
}

// date is s when it is a date, and otherwise nothing. The readers return what a document says; "2024-02-30" or
// "yesterday" would make a whole row of a typed table fail.
func date(s string) string {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if _, err := time.Parse(layout, s); err == nil {
			return s
		}
	}
	return ""
}

// cut returns at most limit bytes of s, whole characters.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	// A byte that begins no character (10xxxxxx) is the inside of one: step back to where it begins.
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
