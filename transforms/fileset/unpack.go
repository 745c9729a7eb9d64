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

var errBundle = errors.New("neither zip nor tar")

// unpack passes each file of a zip or tar, which may be gzipped, to take, in the order of the stream. It returns the
// file extension of such a bundle. Folders and links are skipped.
func unpack(in io.Reader, take func(name string, in io.Reader) error) (kind string, err error) {
	b := bufio.NewReaderSize(in, 64<<10)
	// A tar's magic is at 257, in its first block of 512 bytes. Peek leaves the bytes for the readers.
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
	// The content of the gzip is not checked: platforms compress only tars so.
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
			// Read to the end: padding follows the end mark, and in gzip the checksum.
			_, err := io.Copy(io.Discard, io.LimitReader(in, 1<<20))
			return err
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		// "tar -c ." writes all names so; the manifest has them without.
		if err := take(strings.TrimPrefix(h.Name, "./"), t); err != nil {
			return err
		}
	}
}
