package legacy

import (
	"bytes"

	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/crypt"
)

// Records that concern encryption ([MS-XLS], section 2.2.10). In an encrypted workbook only those below and the heads
// of records are readable.
const (
	xlsFilePass     = 0x002F
	xlsInterfaceHdr = 0x00E1
	xlsRRDHead      = 0x0138
	xlsUsrExcl      = 0x0194
	xlsFileLock     = 0x0195
	xlsRRDInfo      = 0x0196

	// maxBeforePass bounds the records before FilePass. It is the second record, or the third after WriteProtect.
	maxBeforePass = 16
)

// unlock decrypts the workbook if the default password opens it. It reports whether the workbook can be read.
func (k *book) unlock() bool {
	at := 0
	for range maxBeforePass {
		kind, n := u16(k.b, at), u16(k.b, at+2)
		if kind == xlsEOF || at+4 > len(k.b) {
			return true
		}
		if at += 4; kind == xlsFilePass {
			stream := crypt.Workbook(cut(k.b, at, at+n))
			if stream == nil {
				return false
			}
			k.decrypt(stream, at+n)
			return true
		}
		at += n
	}
	return true
}

// decrypt decrypts all records from a position on. It works on a copy, since the stream may be the file's memory.
func (k *book) decrypt(stream crypt.Stream, at int) {
	k.b = bytes.Clone(k.b)
	for at+4 <= len(k.b) {
		kind, n := u16(k.b, at), u16(k.b, at+2)
		at += 4
		body := cut(k.b, at, at+n)
		switch kind {
		case xlsBOF, xlsFilePass, xlsInterfaceHdr, xlsRRDHead, xlsUsrExcl, xlsFileLock, xlsRRDInfo:
		// The position of the sheet stays readable: Excel needs it before it asks for the password.
		case xlsBoundSheet:
			const place = 4
			stream.Decrypt(cut(body, place, len(body)), at+place, n)
		default:
			stream.Decrypt(body, at, n)
		}
		at += n
	}
}
