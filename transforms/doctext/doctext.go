// Package doctext holds the text and metadata of documents that are not HTML: PDF, office files, electronic books, and
// plain text. Packages pdf and office contain the readers; package reader chooses between them.
//
// Readers are functions of the bytes, and their input may be hostile. They bound everything they can count (bytes,
// objects, operators, depth). At a bound they return the text read so far. The libraries that they use may still loop,
// exhaust the memory or panic. So a program that reads unknown documents should call readers in a separate process.
package doctext

import "cmp"

// Document is the result of reading one document. Unknown fields are zero.
type Document struct {
	// Text is the document's text in reading order, in UTF-8. An empty line divides paragraphs, a tab divides the
	// cells of a row, a form feed divides pages, slides and sheets.
	Text string

	Title       string
	Shown       string // the title that the text shows by its style
	Description string
	Authors     []string
	Publisher   string
	Tags        []string
	Created     string   // RFC 3339, or a date alone
	Modified    string   // likewise
	Language    string   // BCP 47, as declared
	Generator   string   // the program that made the document
	Pages       int      // pages, slides or sheets found; 0 where the format has none
	Rights      []string // statements of rights in the metadata: URLs of licences, names, sentences

	// Reservation and Policy are those of text and data mining in the metadata, as TDMRep has them: 0 or 1, and a URL.
	Reservation, Policy string

	// Blocks are the headings, tables and others in Text, in their order, for formats that draw text: PDF.
	Blocks []Block

	// PageMarks describe the pages in their order, for formats that draw text: PDF.
	PageMarks []PageMarks

	// Problems lists faults of the document and parts that were left out, at most one of each kind. A document without
	// problems was read whole.
	Problems []Problem
}

// NamespaceTDM is the vocabulary of the TDM Reservation Protocol; writers also end it with a slash or a number sign.
const NamespaceTDM = "http://www.w3.org/ns/tdmrep"

// Block is a part of the text that Markdown marks. Its text is Text[Start:End]: of a table, a line for each row, and
// tabs between cells.
type Block struct {
	Start, End int
	Level      int // of a heading, from 1 on; the nesting of an item; 0 for a table
	Kind       BlockKind
	Text       string // the description of a picture, which is not in the text
}

// BlockKind is the kind of a block. The zero value is a heading if it has a level, otherwise a table.
type BlockKind uint8

// Kinds of blocks besides headings and tables.
const (
	BlockItem     BlockKind = iota + 1 // an item of a list, with its bullet or number
	BlockPicture                       // a picture; its place has no text
	BlockArtifact                      // a running head or the number of a page, which Markdown leaves out
)

// PageMarks count the drawings on a page. Package ocr decides by them which pages need character recognition.
type PageMarks struct {
	Glyphs  int // visible glyphs
	Inner   int // of these, outside the margins at the top and bottom
	Hidden  int // invisible glyphs: those below a picture, and those of a text layer
	Unknown int // glyphs without a known text
	Picture int // the part of the page that pictures cover, in percent
	Shapes  int // filled shapes in rows, as large as letters
}

// Problem is a reason why a document was not read whole.
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
	KindLimit       Kind = "limit"         // a bound was reached: only the text before it is there
	KindUnsupported Kind = "unsupported"   // a format, or a part of one, that the readers do not read
	KindTimeout     Kind = "timeout"       // reading took too long (only where it runs in a process of its own)
	KindCrashed     Kind = "crashed"       // the reader died (likewise)
)

// Add notes a problem unless one of its kind is already there. A file with a million broken objects would otherwise
// have a million messages. Counts of problems by kind would then count objects instead of documents.
func (d *Document) Add(kind Kind, message string) {
	for _, p := range d.Problems {
		if p.Kind == kind {
			return
		}
	}
	d.Problems = append(d.Problems, Problem{kind, message})
}

// Options bound the reading of a document; a zero field means its default. Readers have further bounds for things that
// only their format has. MaxEntry stops a single zip bomb, MaxBytes stops a thousand streams just below MaxEntry. The
// text has a bound of its own. A small stream may be shown many times (forms of a PDF, repeated cells of a sheet).
type Options struct {
	MaxText  int   // bytes of text; 16 MiB
	MaxBytes int64 // bytes that all streams or entries together inflate to; 256 MiB
	MaxEntry int64 // bytes that one stream or entry inflates to; 64 MiB
	MaxPages int   // pages, slides or sheets; 5,000
	MaxDepth int   // of nested elements, arrays or forms; 400
}

// WithDefaults returns o with defaults in place of zeroes.
func (o Options) WithDefaults() Options {
	return Options{
		MaxText:  cmp.Or(o.MaxText, 16<<20),
		MaxBytes: cmp.Or(o.MaxBytes, 256<<20),
		MaxEntry: cmp.Or(o.MaxEntry, 64<<20),
		MaxPages: cmp.Or(o.MaxPages, 5000),
		MaxDepth: cmp.Or(o.MaxDepth, 400),
	}
}
