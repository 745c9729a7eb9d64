// Package legacy reads the binary formats of Office 97 to 2003: text documents (DOC), workbooks (XLS), presentations (PPT).
package legacy

import (
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/cfb"
)

// Read reads the document that the compound file body is.
func Read(body []byte, doc *doctext.Document, o doctext.Options) error {
	f, err := cfb.Open(body)
	if err != nil {
		return err
	}
	if f.Has("EncryptedPackage") {
		doc.Add(doctext.KindEncrypted, "a password is needed")
		return nil
	}
	doc.Add(doctext.KindUnsupported, "binary")
	return nil
}
