package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/schemas"
)

// Version is the version of what units write. It is part of their keys and changes if the same documents give other
// records. Parquet has its own version.
const Version = "1"

// Key names the work of a unit: a hash, 64 hexadecimal digits, of its ranges, the options and the versions. Of a range
// it hashes file, start and end, first and last of a group, and filter of an index. It does not depend on the unit's
// Number or on how many units there are. So a finished unit stays done when the plan changes around it. Options and
// versions are hashed as JSON. A value without a JSON form gives an empty key, which Resume and NewWriter refuse.
func Key(u schemas.Unit, options, versions any) string {
	// JSON sorts the keys of maps, so equal options give equal bytes.
	o, err := json.Marshal(options)
	if err != nil {
		return ""
	}
	v, err := json.Marshal(versions)
	if err != nil {
		return ""
	}
	h := sha256.New()
	// Lengths go first, so that no file name can imitate the end of another.
	for _, r := range u.Inputs {
		h.Write(fmt.Appendf(nil, "%d:%s %d %d\n", len(r.File), r.File, r.Start, r.End))
		if g := r.Group; g != nil {
			h.Write(fmt.Appendf(nil, "%d:%s %d:%s %d\n", len(g.First), g.First, len(g.Last), g.Last, g.Files))
		}
		if l := r.Lookup; l != nil {
			h.Write(fmt.Appendf(nil, "%d:%s %d:%s\n", len(l.Filter), l.Filter, len(l.Base), l.Base))
		}
	}
	h.Write(fmt.Appendf(nil, "%d:%s %d:%s", len(o), o, len(v), v))
	return hex.EncodeToString(h.Sum(nil))
}

// Fingerprint returns "sha256:" and the hexadecimal hash of the bytes [start, end) of r. It returns io.ErrUnexpectedEOF
// if r ends before end.
func Fingerprint(r io.ReaderAt, start, end int64) (string, error) {
	if start < 0 || end < start {
		return "", fmt.Errorf("fingerprint of bytes %d to %d: not a range", start, end)
	}
	h := sha256.New()
	// In pieces, because a range may be a gigabyte.
	n, err := io.CopyBuffer(h, io.NewSectionReader(r, start, end-start), make([]byte, 256<<10))
	if err == nil && n < end-start {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return "", fmt.Errorf("fingerprint of bytes %d to %d, at %d: %w", start, end, start+n, err)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}

// ErrKey is the error for an invalid key.
var ErrKey = errors.New("not a key: make it by ledger.Key")
