package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/schemas"
)

// FormatRecheck reads the archives of captures again, from beginning to end. It lists the captures that are not as the
// collection has them, as CSV.
const FormatRecheck = "recheck"

// rechecked is what the collection has of a capture.
type rechecked struct {
	url, digest string
	length      int64
	status      int
	damaged     bool
}

type place struct {
	offset   int64
	sequence int
}

// rechecker collects the captures of each archive, and reads the archives at its end.
type rechecker struct {
	*cutter
	table *CSV
	files map[string]map[place]rechecked
	found int // differences
}

func newRechecker(ctx context.Context, e Exporter, out io.Writer) (*rechecker, error) {
	table, err := NewCSV(out, []string{"filename", "offset", "sequence", "url", "difference"})
	return &rechecker{newCutter(ctx, e, io.Discard), table, map[string]map[place]rechecked{}, 0}, err
}

// Columns returns the columns that are compared.
func (r *rechecker) Columns() []string {
	return []string{"url", "filename", "offset", "length", "sequence", "digest", "status", "damaged"}
}

// Write notes a capture.
func (r *rechecker) Write(d *schemas.Document) error {
	if !r.db.MayRead(d) {
		return nil
	}
	if r.files[d.Filename] == nil {
		r.files[d.Filename] = map[place]rechecked{}
	}
	r.files[d.Filename][place{d.Offset, d.Sequence}] = rechecked{d.URL, d.Digest, d.Length, d.Status, d.Damaged}
	return r.ctx.Err()
}

// Close reads the archives, and logs a summary of each.
func (r *rechecker) Close() error {
	defer r.closeArchive()
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		before := r.found
		counts, err := r.read(name)
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if failed := (*writeError)(nil); errors.As(err, &failed) {
			return failed.err
		}
		shown := schemas.Printable(name)
		if err != nil {
			r.found++
			slog.Warn(fmt.Sprintf("%s: cannot be read again: %v; --archives names the folders and buckets that archives are in",
				shown, err))
			continue
		}
		slog.Info(fmt.Sprintf("%s: %d records, %d captures, %d rejects, %d bytes lost; %d of %d captures of the collection "+
			"differ", shown, counts.Records, counts.Captures, counts.Rejects, counts.BytesLost, r.found-before,
			len(r.files[name])))
	}
	return r.table.Close()
}

// Lost reports whether anything differs.
func (r *rechecker) Lost() bool { return r.found > 0 }

// read reads an archive, and compares its captures with those of the collection.
func (r *rechecker) read(name string) (counts schemas.Counts, err error) {
	if err := r.open(name); err != nil {
		return counts, err
	}
	size := r.file.Size()
	in, err := archive.NewReader(r.file, archive.Input{Name: name, Size: size, End: size}, r.format, archive.Options{})
	if err != nil {
		return counts, err
	}
	defer in.Close()
	left := maps.Clone(r.files[name])
	for {
		item, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = r.ctx.Err()
		}
		if err != nil {
			return counts, err
		}
		c := item.Capture
		if c == nil {
			continue
		}
		at := place{c.Origin.Offset, c.Origin.Sequence}
		have, is := left[at]
		delete(left, at)
		if what := have.differs(c); is && what != "" {
			if err := r.note(name, at, have.url, what); err != nil {
				return counts, err
			}
		}
	}
	byPlace := func(a, b place) int {
		return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.sequence, b.sequence))
	}
	for _, at := range slices.SortedFunc(maps.Keys(left), byPlace) {
		if err := r.note(name, at, left[at].url, "not in the archive"); err != nil {
			return counts, err
		}
	}
	return in.Counts(), nil
}

// differs lists the values in which a capture differs.
func (h rechecked) differs(c *schemas.Capture) string {
	var list []string
	for _, x := range []struct {
		name string
		same bool
	}{
		{"URL", h.url == c.URL},
		{"digest", h.digest == c.Digest},
		{"length", h.length == c.Origin.Length},
		{"status", h.status == c.Status},
		{"damage", h.damaged == schemas.Damaged(c.Flags)},
	} {
		if !x.same {
			list = append(list, x.name)
		}
	}
	return strings.Join(list, ", ")
}

func (r *rechecker) note(name string, at place, url, what string) error {
	r.found++
	err := r.table.Row([]string{
		name, strconv.FormatInt(at.offset, 10), strconv.Itoa(at.sequence), url, what,
	})
	if err != nil {
		return &writeError{err}
	}
	return nil
}
