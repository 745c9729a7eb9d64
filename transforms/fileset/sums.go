package fileset

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"sync"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
)

// headBytes is how much of a file its type is told by.
const headBytes = 1 << 20

// sums hashes what is written to it, in one pass.
type sums struct {
	md5, sha1, sha256 hash.Hash
	size              int64
	head              []byte // the beginning
}

func newSums() *sums { return &sums{md5: md5.New(), sha1: sha1.New(), sha256: sha256.New()} }

// Write never fails.
func (s *sums) Write(p []byte) (int, error) {
	n := len(p)
	s.size += int64(n)
	if len(s.head) < headBytes {
		s.head = append(s.head, p[:min(n, headBytes-len(s.head))]...)
	}
	// Pieces that stay in the processor's cache are read once from memory and three times from there.
	for len(p) > 0 {
		piece := p[:min(len(p), 16<<10)]
		p = p[len(piece):]
		s.md5.Write(piece)
		s.sha1.Write(piece)
		s.sha256.Write(piece)
	}
	return n, nil
}

// meta says what was written. The declared type and the name break ties where the bytes leave it open.
func (s *sums) meta(declared, name string) schemas.FileMeta {
	return schemas.FileMeta{
		Size: s.size, MD5: hex.EncodeToString(s.md5.Sum(nil)), SHA1: hex.EncodeToString(s.sha1.Sum(nil)),
		SHA256: hex.EncodeToString(s.sha256.Sum(nil)), MIME: typeOf(s.head, declared, name),
	}
}

// typeOf is the media type of a file by its beginning. Articles in JATS are distinguished from other XML, as
// Sandcrawler does: by their element in the first 1,024 bytes.
func typeOf(head []byte, declared, name string) string {
	if len(head) == 0 {
		return "application/x-empty" // as libmagic has it
	}
	t := mimetype.Detect(head, declared, name, mimetype.Options{}).Type
	if start := head[:min(len(head), 1024)]; mimetype.IsXML(t) && !mimetype.IsHTML(t) &&
		bytes.Contains(start, []byte("<article ")) && !bytes.Contains(start, []byte("<html")) {
		return "application/jats+xml"
	}
	return t
}

// buffers are what bodies are copied through.
var buffers = sync.Pool{New: func() any { b := make([]byte, 64<<10); return &b }}
