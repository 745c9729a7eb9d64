// Package legacy reads the binary formats of Office 97 to 2003, and in part of Office 6 and 95: text documents (DOC),
// workbooks (XLS), presentations (PPT); and tells what compound files hold else.
//
// The formats are those of [MS-DOC], [MS-XLS], [MS-PPT] and [MS-OLEPS]
// (https://learn.microsoft.com/openspecs/office_file_formats). Formatting is not looked at, so text that was deleted
// while changes were tracked is there, and numbers of lists are not.
package legacy

import (
	"encoding/binary"

	"github.com/gleaner-web/gleaner/transforms/cfb"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/crypt"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
)

// reader is the reading of one document. The stream being read is given to the functions; the fields are what all
// three formats share.
type reader struct {
	f   *cfb.File
	doc *doctext.Document
	o   doctext.Options
	out *flow.Text
}

// Read reads the document that the compound file body is. A package of Office Open XML that it holds, encrypted under
// Excel's default password, is returned instead, to be read by another.
func Read(body []byte, doc *doctext.Document, o doctext.Options) (inner []byte, err error) {
	f, err := cfb.Open(body)
	if err != nil {
		return nil, err
	}
	o = o.WithDefaults()
	r := &reader{f, doc, o, flow.New(o.MaxText)}
	// First, for all three formats: encryption of the content leaves the property sets readable.
	r.properties()
	switch {
	// Office Open XML under a password, or under rights management: the package is a stream of a
	// compound file ([MS-OFFCRYPTO], sections 2.2 and 2.3).
	case f.Has("EncryptedPackage"), f.Has("\tDRMContent"):
		if inner = crypt.Package(f.Stream("EncryptionInfo"), f.Stream("EncryptedPackage")); inner == nil {
			r.encrypted()
		}
	case f.Has("WordDocument"):
		r.word(f.Stream("WordDocument"))
	case f.Has("Workbook"):
		r.workbook(f.Stream("Workbook"))
	// "Book" is the workbook of Excel 5 and 95. A file that was saved for both has both streams: the
	// newer is asked first.
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
	// Last, because Stream notes what is missing while it reads.
	if f.Damaged() {
		doc.Add(doctext.KindDamaged, "parts of the file are missing")
	}
	return inner, nil
}

func (r *reader) encrypted() { r.doc.Add(doctext.KindEncrypted, "a password is needed") }

func (r *reader) damaged(what string) { r.doc.Add(doctext.KindDamaged, what) }

// u8, u16 and u32 are numbers in b, or 0 after its end: records that are cut short read as zeroes,
// and no caller has to ask first. Results are int, so sums of two of them cannot overflow.
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

// cut is b[from:to] as far as it is there; nil for any places that make no sense. It shares b's
// memory.
func cut(b []byte, from, to int) []byte {
	to = min(to, len(b))
	if from < 0 || from >= to {
		return nil
	}
	return b[from:to]
}
