package filesets

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Rejects writes the parts of a unit's archives that are not records. Without any, no file is made.
type Rejects struct {
	f   folder.Folder
	key string
	out *output
}

// NewRejects begins the rejects of the unit with the given key.
func NewRejects(f folder.Folder, key string) *Rejects { return &Rejects{f: f, key: key} }

// Write writes a line.
func (r *Rejects) Write(line *schemas.Reject) (err error) {
	if r.out == nil {
		if r.out, err = newOutput(r.f, true); err != nil {
			return err
		}
	}
	return r.out.lines.Write(line)
}

// Commit gives the file, if there is one, its final name and returns it.
func (r *Rejects) Commit() ([]schemas.Shard, error) {
	if r.out == nil {
		return nil, nil
	}
	s, err := r.out.commit(r.f, "rejects-"+r.key+".jsonl.zst")
	r.out = nil
	return []schemas.Shard{s}, err
}

// Abort removes the file. After Commit it does nothing.
func (r *Rejects) Abort() {
	if r.out != nil {
		r.out.drop(r.f)
		r.out = nil
	}
}

// Sort sorts the files by name, which does not depend on the order of the units.
func (c *Captures) Sort() {
	slices.SortFunc(c.Shards, func(a, b schemas.Shard) int { return strings.Compare(a.Name, b.Name) })
}
