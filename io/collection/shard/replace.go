package shard

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/schemas"
)

// Replace renames the outputs over the shards they replace, and then writes the row, as Commit does.
func (w *Writer) Replace(r ledger.Row) error {
	// Clones, so that the caller's row is unchanged if this fails.
	r.Shards, r.Modified = slices.Clone(r.Shards), slices.Clone(r.Modified)
	// The captures last: while they name a page that is removed, its removal can be repeated.
	slices.SortStableFunc(w.outputs, func(a, b *Output) int { return cmp.Compare(rank(a.Name), rank(b.Name)) })
	for _, o := range w.outputs {
		s, err := o.Finish()
		if err != nil {
			return err
		}
		// Searched by name, because the outputs are in another order than the shards.
		i := slices.IndexFunc(r.Shards, func(old schemas.Shard) bool { return old.Name == s.Name })
		if i < 0 {
			return fmt.Errorf("%s is not a shard of its unit", s.Name)
		}
		if r.Shards[i] = s; i < len(r.Modified) {
			r.Modified[i] = o.Time
		}
	}
	// The row that was read, with other shards and counts, keeps what it says about inputs.
	w.row = r
	defer w.Abort()
	return w.publish()
}

// Raw opens one more output, for bytes that are encoded already.
func (w *Writer) Raw(p holdings.FileType) (io.Writer, error) {
	out, err := w.add(p)
	if err != nil {
		return nil, err
	}
	out.Enc = io.NopCloser(nil)
	return out, nil
}

// Outputs returns how many shards the unit has so far.
func (w *Writer) Outputs() int { return len(w.outputs) }

// rank is 1 for shards of captures, and 0 for others.
func rank(name string) int {
	if p, _ := holdings.FileTypeOf(name); p.Kind == holdings.KindCaptures {
		return 1
	}
	return 0
}
