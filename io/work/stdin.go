package work

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// headBytes is how much of standard input is looked at to tell an archive from a list.
const headBytes = 1 << 20

// Stdin tells by its content whether what comes on standard input is an archive or a list of names, and makes of an
// archive a file, since units are ranges of it and may be read twice. The file is in the folder for temporary files. It
// has no name there where the system can do without, so that nothing is left of it however the process ends, and is
// gone when release is called. Its name in records is "stdin-" and the beginning of its bytes' SHA-256: the same bytes
// are the same input on the next run, and others are another one. Of a list, list gives all of it.
func Stdin(ctx context.Context, r io.Reader) (in blob.Stdin, list io.Reader, release func(), err error) {
	release = func() {}
	head, err := io.ReadAll(io.LimitReader(r, headBytes))
	if err != nil {
		return in, nil, release, fmt.Errorf("standard input: %w", err)
	}
	// What was looked at is in front of the rest again.
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
		_ = os.Remove(f.Name()) // where it has a name yet
		_ = f.Close()           // it was only written to
	}
	// The system keeps an open file that has no name, and /proc leads to it.
	if unnamed := fmt.Sprintf("/proc/self/fd/%d", f.Fd()); exists(unnamed) && os.Remove(f.Name()) == nil {
		in.Path = unnamed
	}
	hash := sha256.New()
	// Hashed while it is written: the name is known at the end, without reading it again.
	in.Size, err = copyUntil(ctx, io.MultiWriter(f, hash), all)
	if err != nil {
		// No half of an archive may be taken for all of it.
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

// isArchive reports whether a file begins so that is an archive. The directory of a ZIP file, as WACZ is, is at its
// end. A cut ZIP file is not yet known by Detect as WACZ.
func isArchive(head []byte) bool {
	_, err := archive.Detect("stdin", bytes.NewReader(head), int64(len(head)))
	return err == nil || bytes.HasPrefix(head, []byte("PK\x03\x04"))
}

// copyUntil copies to the end, or until ctx ends: whoever writes to standard input may never end.
func copyUntil(ctx context.Context, w io.Writer, r io.Reader) (int64, error) {
	type result struct {
		n   int64
		err error
	}
	// Room for one, so that the goroutine can end after nobody waits any more.
	done := make(chan result, 1)
	go func() {
		n, err := io.Copy(w, r)
		done <- result{n, err}
	}()
	select {
	case <-ctx.Done():
		// The goroutine stays until its read returns, which cannot be broken off; the process is about to end.
		return 0, context.Cause(ctx)
	case r := <-done:
		return r.n, errors.Join(r.err, ctx.Err())
	}
}
