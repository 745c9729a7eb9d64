package care

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// ErrOverlap means that two collections have read the same bytes of an archive in different units: the merged
// collection would have their records twice.
var ErrOverlap = errors.New("both have read the same archive, in different units")

// disjoint checks that units of the two collections have no ranges in common, except for equal units. Shards of these
// may differ if pages were taken down from some.
func disjoint(here, there map[string]ledger.Row, taken bool) error {
	paths, err := blob.NewPaths()
	if err != nil {
		return err
	}
	read := map[string][]schemas.Range{} // by marks
	for key, r := range here {
		// An equal unit is taken once.
		if _, same := there[key]; same {
			continue
		}
		for _, in := range r.Inputs {
			for _, mark := range marks(paths, r, in) {
				read[mark] = append(read[mark], in)
			}
		}
	}
	for key, r := range there {
		if mine, same := here[key]; same {
			if !slices.Equal(mine.Shards, r.Shards) && !(taken && tookDown(mine.Counts, r.Counts)) {
				return fmt.Errorf("%w: %s and %s", ledger.ErrDiffers, ledger.Describe(mine.Shards),
					ledger.Describe(r.Shards))
			}
			continue
		}
		for _, in := range r.Inputs {
			for i, mark := range marks(paths, r, in) {
				for _, o := range read[mark] {
					if overlap(in, o) && !(i > 0 && differ(in, o)) {
						return fmt.Errorf("%w: %s and %s; read it with ingest --add", ErrOverlap,
							schemas.Printable(o.File), schemas.Printable(in.File))
					}
				}
			}
		}
	}
	return nil
}

// marks returns by what the file of a range is known again. The first is its real path or URL. The others are the hash
// of its bytes, and the stamp of a local file, which moves with the file.
func marks(paths *blob.Paths, r ledger.Row, in schemas.Range) []string {
	local := !blob.IsRemote(in.File) && in.Kind() != schemas.KindTopic
	list := []string{in.File}
	if local {
		list[0] = paths.Real(r.Dir, schemas.PathOf(in.File))
	}
	// In an object store it is a version, and no hash.
	if strings.HasPrefix(in.Fingerprint, "sha256:") {
		list = append(list, in.Fingerprint)
	}
	if stamp := r.Stamps[in.File]; local && stamp != "" && in.Kind() == schemas.KindFile {
		list = append(list, stamp+" "+path.Base(in.File))
	}
	return list
}

// overlap reports whether ranges of one file have something in common. Ranges of groups do not say what they cover:
// each begins at 0.
func overlap(a, b schemas.Range) bool {
	return a.Start < b.End && b.Start < a.End || a.Group != nil
}

// differ reports whether the hashes of equal ranges show that their files have other bytes.
func differ(a, b schemas.Range) bool {
	return a.Start == b.Start && a.End == b.End && a.Fingerprint != b.Fingerprint &&
		strings.HasPrefix(a.Fingerprint, "sha256:") && strings.HasPrefix(b.Fingerprint, "sha256:")
}

// tookDown reports whether the counts of two attempts at a unit show that pages were taken down from one.
func tookDown(a, b schemas.Counts) bool {
	return a.TakenDown+b.TakenDown > 0 || a.Captures != b.Captures || a.Documents != b.Documents || a.Links != b.Links ||
		a.Data != b.Data || a.Feeds != b.Feeds || a.Rejects != b.Rejects
}
