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

// headBytes is how much of a file is read to detect its type.
const headBytes = 1 << 20

// sums hashes the bytes written to it, in one pass.
type sums struct {
	md5, sha1, sha256 hash.Hash
	size              int64
	head              []byte // first bytes
}

func newSums() *sums { return &sums{md5: md5.New(), sha1: sha1.New(), sha256: sha256.New()} }

func (s *sums) Write(p []byte) (int, error) {
	n := len(p)
	s.size += int64(n)
	if len(s.head) < headBytes {
		s.head = append(s.head, p[:min(n, headBytes-len(s.head))]...)
	}
	// Small pieces stay in the processor's cache for the second and third hash.
	for len(p) > 0 {
		piece := p[:min(len(p), 16<<10)]
		p = p[len(piece):]
		s.md5.Write(piece)
		s.sha1.Write(piece)
		s.sha256.Write(piece)
	}
	return n, nil
}

// meta describes the written bytes. The declared type and the name decide when the bytes do not.
func (s *sums) meta(declared, name string) schemas.FileMeta {
	return schemas.FileMeta{
		Size: s.size, MD5: hex.EncodeToString(s.md5.Sum(nil)), SHA1: hex.EncodeToString(s.sha1.Sum(nil)),
		SHA256: hex.EncodeToString(s.sha256.Sum(nil)), MIME: typeOf(s.head, declared, name),
	}
}

// typeOf is the media type of a file by its first bytes. As in Sandcrawler, articles in JATS are recognised by their
// element in the first 1,024 bytes.
func typeOf(head []byte, declared, name string) string {
	if len(head) == 0 {
		return "application/x-empty" // as in libmagic
	}
	t := mimetype.Detect(head, declared, name, mimetype.Options{}).Type
	if start := head[:min(len(head), 1024)]; mimetype.IsXML(t) && !mimetype.IsHTML(t) &&
		bytes.Contains(start, []byte("<article ")) && !bytes.Contains(start, []byte("<html")) {
		return "application/jats+xml"
	}
	return t
}

// buffers hold data while bodies are copied.
var buffers = sync.Pool{New: func() any { b := make([]byte, 64<<10); return &b }}
