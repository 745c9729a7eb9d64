package work

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// headBytes is the part of standard input that distinguishes an archive from a list.
const headBytes = 1 << 20

// Stdin decides by content whether standard input is an archive or a list of names. It writes an archive to a file in
// the folder for temporary files, since units are ranges of it and may be read twice. If possible the file has no name,
// so that it ends with the process. Calling release removes the file. Its name in records is "stdin-" and the beginning
// of its bytes' SHA-256, so that equal bytes are the same input on the next run. For a list, list has all of it.
func Stdin(ctx context.Context, r io.Reader) (in blob.Stdin, list io.Reader, release func(), err error) {
	release = func() {}
	r = Until(ctx, r)
	head, err := io.ReadAll(io.LimitReader(r, headBytes))
	if err != nil {
		return in, nil, release, fmt.Errorf("standard input: %w", err)
	}
	// The examined bytes come before the rest again.
	all := io.MultiReader(bytes.NewReader(head), r)
	if !isArchive(head) {
		return in, all, release, nil
	}
	f, err := os.CreateTemp("", "gleaner-stdin-*")
	if err != nil {
		return in, nil, release, err
	}
	in.Path = f.Name()
	release = func() {
		_ = os.Remove(f.Name()) // if it still has a name
		_ = f.Close()           // only written
	}
	// The system keeps an open file without a name, and /proc leads to it.
	if unnamed := fmt.Sprintf("/proc/self/fd/%d", f.Fd()); exists(unnamed) && os.Remove(f.Name()) == nil {
		in.Path = unnamed
	}
	hash := sha256.New()
	// Hashed while it is written, so that the name needs no second read.
	in.Size, err = io.Copy(io.MultiWriter(f, hash), all)
	if err != nil {
		// A part of an archive must not be taken for all of it.
		release()
		err = fmt.Errorf("standard input, kept in %s (TMPDIR names another folder): %w", os.TempDir(), err)
		return blob.Stdin{}, nil, func() {}, err
	}
	sum := hex.EncodeToString(hash.Sum(nil))
	in.Name, in.Stamp = "stdin-"+sum[:16], "sha256:"+sum
	return in, nil, release, nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// isArchive reports whether head begins an archive. A ZIP file, such as WACZ, has its directory at its end, so Detect
// does not yet recognize a cut one as WACZ.
func isArchive(head []byte) bool {
	_, err := archive.Detect("stdin", bytes.NewReader(head), int64(len(head)))
	return err == nil || bytes.HasPrefix(head, []byte("PK\x03\x04"))
}
