package standing

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// Fingerprint identifies the content of a range: by its bytes, or in an object store, where reading them costs money,
// by the object's version.
func Fingerprint(ctx context.Context, s *blob.Store, in schemas.Range, stamp string) (string, error) {
	if blob.IsRemote(in.File) {
		return "version:" + stamp, nil
	}
	o, err := s.Open(ctx, in.File)
	if err != nil {
		return "", err
	}
	defer o.Close()
	print, err := ledger.Fingerprint(o, in.Start, in.End)
	if err != nil {
		return "", fmt.Errorf("%s: %w", in.File, err)
	}
	return print, nil
}

// SameBytes reports whether a range still has the bytes that its unit noted. Groups, topics and units that only index
// note none, so a changed stamp means a change.
func SameBytes(ctx context.Context, s *blob.Store, r schemas.Range, stamp string) (bool, error) {
	if r.Format == "" || r.Fingerprint == "" {
		return false, nil
	}
	now, err := Fingerprint(ctx, s, r, stamp)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return false, nil // the file is shorter now
	}
	return now == r.Fingerprint, err
}
