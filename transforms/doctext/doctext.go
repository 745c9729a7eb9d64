// Package doctext holds what is read from documents that are not HTML: PDF, office files, electronic books, and plain
// text. The readers are in pdf and office; reader chooses between them.
//
// Readers are functions of the bytes, and what they are given is hostile. They bound what they can count (bytes,
// objects, operators, depth), and return what they have when a bound is reached. Libraries beneath them may still loop,
// exhaust the memory or panic, so programs that read what they do not know should call them in a process of their own.
package doctext

import "cmp"

// Document is what was read from one document. What is not known is zero.
type Document struct {
	// Text is the document's text in reading order: UTF-8, paragraphs divided by an empty line, cells of a row by a tab,
	// pages, slides and sheets by a form feed.
	Text string

	Title       string
	Description string
	Authors     []string
	Publisher   string
	Tags        []string
	Created     string // RFC 3339, or a date alone
	Modified    string // likewise
	Language    string // BCP 47, as declared
	Generator   string // the program that made it
	Pages       int    // pages, slides or sheets that were really found; 0 where the format has none

	// Problems says what is wrong with the document or what was left out, at most one of a kind. A document without
	// problems was read whole.
	Problems []Problem
}

// Problem is one thing that kept a document from being read whole.
type Problem struct {
	Kind    Kind
	Message string
}

// Kind names a problem.
type Kind string

// The kinds of problems.
const (
	KindEncrypted   Kind = "encrypted"     // a password is needed: metadata at most
	KindNoText      Kind = "no_text_layer" // pages, but no text on them: a scan
	KindDamaged     Kind = "damaged"       // broken; what could be repaired is there
	KindLimit       Kind = "limit"         // a bound was reached: what precedes it is there
	KindUnsupported Kind = "unsupported"   // a format, or a part of it, that is not read
	KindTimeout     Kind = "timeout"       // reading took too long (only where it runs in a process of its own)
	KindCrashed     Kind = "crashed"       // the reader died (likewise)
)

// Add notes a problem, unless there is one of its kind. One problem of a kind is enough: a file with a million broken
// objects would otherwise bring a million messages, and counts of problems by kind would count objects instead of
// documents.
func (d *Document) Add(kind Kind, message string) {
	for _, p := range d.Problems {
		if p.Kind == kind {
			return
		}
	}
	d.Problems = append(d.Problems, Problem{kind, message})
}

// Options bound the reading of a document; the zero value takes the defaults. A reader has bounds of its own beside
// them for what only its format has. Two byte bounds stand side by side because one alone is not enough: MaxEntry
// stops a single bomb, MaxBytes a thousand streams that stay just below it. The text is bounded apart from both,
// since a small stream may be shown many times (forms of a PDF, repeated cells of a sheet).
type Options struct {
	MaxText  int   // bytes of text; 16 MiB
	MaxBytes int64 // bytes that all streams or entries together inflate to; 256 MiB
	MaxEntry int64 // bytes that one stream or entry inflates to; 64 MiB
	MaxPages int   // pages, slides or sheets; 5,000
	MaxDepth int   // of nested elements, arrays or forms; 400
}

// WithDefaults returns o with the defaults in the place of zeroes.
func (o Options) WithDefaults() Options {
	return Options{
		MaxText:  cmp.Or(o.MaxText, 16<<20),
		MaxBytes: cmp.Or(o.MaxBytes, 256<<20),
		MaxEntry: cmp.Or(o.MaxEntry, 64<<20),
		MaxPages: cmp.Or(o.MaxPages, 5000),
		MaxDepth: cmp.Or(o.MaxDepth, 400),
	}
}
