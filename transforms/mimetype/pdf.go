package mimetype

import (
	"bytes"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

const (
	// pdfHeader bounds the search for a PDF header after markup, such as notices of a server's program.
	pdfHeader = 16 << 10
	// pdfBegin and pdfEnd bound the search for the first object and the end.
	pdfBegin = 2 << 10
	pdfEnd   = 2 << 10
)

var (
	pdfLine   = pattern.Lazy(`%PDF-[0-9]`)
	pdfObject = pattern.Lazy(`[0-9]+[ \r\n]+[0-9]+[ \r\n]+obj[ \t\r\n]*(?:<<|\[|\(|/|[0-9])`)
	pdfXref   = pattern.Lazy(`startxref[ \t\r\n]+[0-9]`)
)

// isWrappedPDF reports whether body is a PDF after markup. The markup may be notices of a failed program, or a
// template. A page about PDFs has the header within a sentence, or in an element for listings, where dictionaries must
// be escaped.
func isWrappedPDF(body []byte) bool {
	if !bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF")), " \t\r\n"), []byte("<")) {
		return false
	}
	at := pdfLine().FindIndex(body[:min(len(body), pdfHeader)])
	if at == nil {
		return false
	}
	before, pdf := body[:at[0]], body[at[0]:]
	last := before[len(before)-1]
	if last != '>' && mentionsPDF(bytes.TrimRight(before, " ")) || inListing(before) || !mostlyText(before) {
		return false
	}
	return pdfObject().Match(pdf[:min(len(pdf), pdfBegin)]) && (hasPDFEnd(pdf) || !mostlyText(pdf))
}

// inListing reports whether an element for preformatted text is open at the end of a page's beginning.
func inListing(page []byte) bool {
	page = bytes.ToLower(page)
	for _, e := range [...][2]string{
		{"<pre", "</pre"},
		{"<code", "</code"},
		{"<textarea", "</textarea"},
		{"<script", "</script"},
		{"<xmp", "</xmp"},
		{"<!--", "-->"},
		{"<title", "</title"},
		{"<![cdata[", "]]>"},
	} {
		if open := bytes.LastIndex(page, []byte(e[0])); open >= 0 && !bytes.Contains(page[open:], []byte(e[1])) {
			return true
		}
	}
	return false
}

// isHeadlessPDF reports whether body is a PDF with a lost or damaged header line. It begins with an object, or with
// bytes that are not text, and ends like a PDF.
func isHeadlessPDF(body []byte) bool {
	if !hasPDFEnd(body) {
		return false
	}
	head := body[:min(len(body), pdfBegin)]
	at := pdfObject().FindIndex(head)
	return at != nil && !isProse(head[:at[0]])
}

// isProse reports whether text before an object introduces it: it has several words and is not in a comment.
func isProse(text []byte) bool {
	const few = 3
	if !mostlyText(text) {
		return false
	}
	words := 0
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); !bytes.HasPrefix(line, []byte("%")) {
			words += len(bytes.Fields(line))
		}
	}
	return words >= few
}

// hasPDFEnd reports whether body ends like a PDF: with the position of its cross-reference table, or at least with its
// end mark after a trailer.
func hasPDFEnd(body []byte) bool {
	end := body[max(0, len(body)-pdfEnd):]
	return pdfXref().Match(end) || bytes.Contains(end, []byte("%%EOF")) && bytes.Contains(end, []byte("trailer"))
}
