package fileset

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// errBundle is a bundle of a kind that is not read.
var errBundle = errors.New("neither zip nor tar")

// unpack gives each file of a zip or a tar, which may be compressed by gzip, to take, in the order of the stream. It
// returns what the name of such a bundle ends in. Folders and links are not files.
func unpack(in io.Reader, take func(name string, in io.Reader) error) (kind string, err error) {
	b := bufio.NewReaderSize(in, 64<<10)
	// A tar's magic is at 257, in its first block of 512 bytes. The bytes are peeked, so that the
	// readers begin at the start.
	head, err := b.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	switch {
	// The second is a zip without files.
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return ".zip", unzip(b, take)
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return ".tar", untar(b, take)
	// What is in the gzip is not looked at: no platform has bundles of another kind in it.
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b, 8}):
		z, err := gzip.NewReader(b)
		if err != nil {
			return "", err
		}
		return ".tar.gz", untar(z, take)
	}
	return "", &StatusError{Status: StatusNotImplemented, Message: "the bundle is " + errBundle.Error()}
}

func untar(in io.Reader, take func(name string, in io.Reader) error) error {
	t := tar.NewReader(in)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			// Read to the end: after the mark of the end there is padding, and of gzip the checksum.
			_, err := io.Copy(io.Discard, io.LimitReader(in, 1<<20))
			return err
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		// "tar -c ." writes all names so; the manifest has none of it.
		if err := take(strings.TrimPrefix(h.Name, "./"), t); err != nil {
			return err
		}
	}
}
