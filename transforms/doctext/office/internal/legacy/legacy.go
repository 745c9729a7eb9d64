// Package legacy reads the binary formats of Office 97 to 2003, and in part of Office 6 and 95. They are text
// documents (DOC), workbooks (XLS) and presentations (PPT). It also names the contents of other compound files.
//
// The formats are those of [MS-DOC], [MS-XLS], [MS-PPT] and [MS-OLEPS]
// (https://learn.microsoft.com/openspecs/office_file_formats). Formatting is ignored. So text deleted under change
// tracking is included, and numbers of lists are not.
package legacy

import (
	"encoding/binary"

	"github.com/gleaner-web/gleaner/transforms/cfb"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/crypt"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
)

// reader reads one document. The stream being read is a parameter of its methods; the fields are those that all three
// formats share.
type reader struct {
	f   *cfb.File
	doc *doctext.Document
	o   doctext.Options
	out *flow.Text
	// composes says that letters and tones of the text are separate.
	composes bool
}

// Read reads the document in the compound file body. If it holds a package of Office Open XML, encrypted under Excel's
// default password, Read returns that package instead. The caller then reads it.
func Read(body []byte, doc *doctext.Document, o doctext.Options) (inner []byte, err error) {
	f, err := cfb.Open(body)
	if err != nil {
		return nil, err
	}
	o = o.WithDefaults()
	r := &reader{f, doc, o, flow.New(o.MaxText), false}
	// Property sets come first, for all three formats: they stay readable when the content is encrypted.
	r.properties()
	switch {
	// This is Office Open XML under a password or rights management: the package is a stream of a compound file
	// ([MS-OFFCRYPTO], sections 2.2 and 2.3).
	case f.Has("EncryptedPackage"), f.Has("\tDRMContent"):
		if inner = crypt.Package(f.Stream("EncryptionInfo"), f.Stream("EncryptedPackage")); inner == nil {
			r.encrypted()
		}
	case f.Has("WordDocument"):
		r.word(f.Stream("WordDocument"))
	case f.Has("Workbook"):
		r.workbook(f.Stream("Workbook"))
	// "Book" is the workbook of Excel 5 and 95. A file saved for both has both streams; the newer one is tried first.
	case f.Has("Book"):
		r.workbook(f.Stream("Book"))
	case f.Has("PowerPoint Document"):
		r.presentation(f.Stream("PowerPoint Document"), f.Stream("Current User"))
	default:
		doc.Add(doctext.KindUnsupported, "a compound file of another program")
	}
	doc.Text = r.out.String()
	if r.out.Full() {
		doc.Add(doctext.KindLimit, "the text is longer than what is read")
	}
	// This comes last because Stream notes missing parts while it reads.
	if f.Damaged() {
		doc.Add(doctext.KindDamaged, "parts of the file are missing")
	}
	return inner, nil
}

func (r *reader) encrypted() { r.doc.Add(doctext.KindEncrypted, "a password is needed") }

func (r *reader) damaged(what string) { r.doc.Add(doctext.KindDamaged, what) }

// u8, u16 and u32 return numbers in b, or 0 after its end. So truncated records read as zeroes, and callers need no
// checks. Results are int, so sums of two of them cannot overflow.
func u8(b []byte, at int) int {
	if at < 0 || at >= len(b) {
		return 0
	}
	return int(b[at])
}

func u16(b []byte, at int) int {
	if at < 0 || at+2 > len(b) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(b[at:]))
}

func u32(b []byte, at int) int {
	if at < 0 || at+4 > len(b) {
		return 0
	}
	return int(binary.LittleEndian.Uint32(b[at:]))
}

// cut returns the existing part of b[from:to], or nil for impossible positions. It shares b's memory.
func cut(b []byte, from, to int) []byte {
	to = min(to, len(b))
	if from < 0 || from >= to {
		return nil
	}
	return b[from:to]
}
