package collection

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// maxProblems bounds what Verify tells: who has lost a disk need not read of every file.
const maxProblems = 1000

// Verify reads every shard that the manifest names and compares it with what is noted of it: its hash, its unit's row,
// how many documents there are, that no page on the list of takedowns is among them, and that no shard lies about that
// nothing names. It changes nothing. What it found comes back as a list of at most 1,000; the error is of what could
// not be looked at at all.
func Verify(ctx context.Context, f folder.Folder) (problems []error, err error) {
	m, err := holdings.ReadManifest(f)
	if err != nil {
		return nil, err
	}
	// Attached and not opened: nothing is swept, and a run may go on.
	v := &verifier{ctx: ctx, c: Attach(f), m: m, named: map[string]bool{}}
	if v.list, err = ReadTakedowns(f); err != nil {
		return nil, err
	}
	// A note that cannot be read is itself what is wrong.
	if v.compacted, err = v.c.compaction(); err != nil {
		return []error{err}, nil
	}
	// A folder of layout 1 is looked at as it stands: only a run brings it to today's.
	if v.older, err = isOlder(f); err != nil {
		return nil, err
	}
	if v.rows, v.bad, err = readRows(f, nil); err != nil {
		return nil, err
	}
	ch, there, err := readChange(f)
	if err != nil {
		return nil, err
	}
	v.change, v.committing = there, ch.Commit != nil
	for _, check := range []func() error{v.units, v.sources, v.others} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return v.problems, nil
}

type verifier struct {
	ctx       context.Context
	c         *Collection
	m         schemas.Manifest
	list      Takedowns
	compacted Compaction
	older     bool // the folder is of layout 1
	change    bool // a run has begun that has not ended: what it has done waits, and is not a problem
	// committing means that a change was interrupted between the notes and the manifest: the next to open the folder ends
	// it, and until then the notes are not compared with what the manifest says.
	committing bool
	rows       map[string]Row
	bad        []string
	named      map[string]bool // shards that are as they should be, or are told of
	lines      map[string]bool // units that have documents in JSON lines; nil before it was asked
	documents  int64
	expected   int64 // documents of the units that hold them, as the manifest counts them
	problems   []error
}

func (v *verifier) found(format string, args ...any) {
	if len(v.problems) < maxProblems {
		v.problems = append(v.problems, fmt.Errorf(format, args...))
	}
}

// units looks at the shards of the manifest.
func (v *verifier) units() error {
	byUnit := map[string]Row{}
	for _, r := range v.rows {
		byUnit[unitName(r.Shards[0].Name)] = r // a row that was read has shards
	}
	shared := map[string]CompactShard{}
	for _, s := range v.compacted.Shards {
		shared[s.Name] = s
	}
	for _, u := range v.m.Units {
		for _, s := range u.Shards {
			v.named[s.Name] = true
			if err := v.shard(s); err != nil {
				return err
			}
		}
		if v.committing {
			continue
		}
		unit, err := unitOf(u.Shards)
		if v.older && err != nil {
			unit, err = olderUnitOf(u.Shards)
		}
		if err != nil {
			v.found("manifest: unit %d: %w", u.ID, err)
			continue
		}
		if _, is := shared[u.Shards[0].Name]; is {
			delete(shared, u.Shards[0].Name)
			continue
		}
		// The manifest and the rows say the same, of which either may have been edited.
		row, there := byUnit[unit]
		if !there {
			v.found("unit %d: its row is missing", u.ID)
			continue
		}
		// What is left in it at the end are rows that the manifest does not know.
		delete(byUnit, unit)
		// Texts and records of content are not documents, though units count them.
		if holdsDocuments(row.Shards) {
			v.expected += u.Documents
		}
		if want := v.compacted.apply([]schemas.UnitResult{row.UnitResult})[0]; !slices.Equal(want.Shards, u.Shards) {
			v.found("unit %d: its row and the manifest name different shards", u.ID)
		}
	}
	v.unknown(byUnit, shared)
	v.count()
	return nil
}

// unknown tells of rows, by units, and of shared shards that the manifest does not name.
func (v *verifier) unknown(byUnit map[string]Row, shared map[string]CompactShard) {
	for unit := range byUnit {
		if v.change {
			break
		}
		v.found("row of unit %s: the manifest does not know it", unit)
	}
	for name := range shared {
		if v.committing {
			break
		}
		v.found("%s: was compacted, and the manifest does not name it", name)
	}
	for _, key := range v.bad {
		v.found("row %s: not as it was written", key)
	}
}

// count compares how many documents there are with what the manifest counts.
func (v *verifier) count() {
	if v.committing || len(v.problems) > 0 { // a shard that is missing would be told of twice
		return
	}
	if v.documents != v.expected {
		v.found("%d documents in the shards, and the manifest counts %d", v.documents, v.expected)
	}
	total := int64(0)
	for _, u := range v.m.Units {
		total += u.Documents
	}
	if total != v.m.Totals.Documents {
		v.found("%d documents in the units, and the manifest counts %d", total, v.m.Totals.Documents)
	}
}

// holdsDocuments reports whether there are shards of documents, and not only of what else units write.
func holdsDocuments(shards []schemas.Shard) bool { return slices.ContainsFunc(shards, isDocuments) }

// all are the shards of the manifest.
func (v *verifier) all() (list []schemas.Shard) {
	for _, u := range v.m.Units {
		list = append(list, u.Shards...)
	}
	return list
}

// shard reads one shard.
func (v *verifier) shard(s schemas.Shard) error {
	if err := v.ctx.Err(); err != nil {
		return err
	}
	size, sum, err := hashFile(v.c.f, s.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		v.found("%s: missing", s.Name)
		return nil
	case err != nil:
		v.found("%s: %w", s.Name, err)
		return nil
	// What is in it is not looked at: it is not what the unit wrote.
	case size != s.Bytes || sum != s.SHA256:
		v.found("%s: not as it was written", s.Name)
		return nil
	}
	p := holdings.Part{Folder: v.c.f, Shards: []schemas.Shard{s}}
	held, _ := holdings.FileTypeOf(s.Name)
	// The bytes are right by now. What is in them is read all the same, since the list of takedowns may be
	// younger.
	n := int64(0)
	for d, err := range p.Documents(v.ctx) {
		if err != nil {
			v.found("%w", err)
			return v.ctx.Err()
		}
		if n++; v.list.Has(d.URL) {
			v.found("%s: has a document of a page that was taken down", s.Name)
		}
	}
	// A unit of two formats has each document twice, and the manifest counts it once.
	if held.Ext != holdings.ExtParquet || !v.alsoLines(s) {
		v.documents += n
	}
	// Shards of other kinds yield nothing here, as this one yields no documents when it is of captures.
	for l, err := range p.Captures(v.ctx) {
		if err != nil {
			v.found("%w", err)
			return v.ctx.Err()
		}
		if v.list.Has(l.URL) {
			v.found("%s: has a line of a page that was taken down", s.Name)
		}
	}
	return nil
}

// alsoLines reports whether the unit of a Parquet shard has its documents in JSON lines, too.
func (v *verifier) alsoLines(s schemas.Shard) bool {
	if v.lines == nil {
		v.lines = map[string]bool{}
		for _, o := range v.all() {
			if n, _ := holdings.FileTypeOf(o.Name); n.Kind == holdings.KindDocuments && n.Ext != holdings.ExtParquet {
				v.lines[unitName(o.Name)] = true
			}
		}
	}
	return v.lines[unitName(s.Name)]
}

// sources looks at what is noted of rows that were moved.
func (v *verifier) sources() error {
	if v.committing {
		return nil
	}
	for _, s := range v.compacted.Shards {
		// Without them a shard cannot be written again, as a takedown has to.
		if _, err := v.c.readSources(s); err != nil {
			v.found("sources of the rows of %s: %w", s.Name, err)
		}
	}
	// The index over all units.
	for _, s := range v.m.Files {
		if size, sum, err := hashFile(v.c.f, s.Name); err != nil || size != s.Bytes || sum != s.SHA256 {
			v.found("%s: not as it was written", s.Name)
		}
	}
	return v.ctx.Err()
}

// others looks for shards that nothing names. Where there is a table, its snapshots may, and a run that has not ended
// does.
func (v *verifier) others() error {
	if v.change {
		return nil
	}
	// They stay until they expire.
	for name := range v.compacted.moved() {
		v.named[name] = true
	}
	for _, s := range v.compacted.files() {
		v.named[s.Name] = true
	}
	names, err := v.c.f.Names("")
	if err != nil {
		return err
	}
	tabled, err := v.c.isTabled()
	if err != nil {
		return err
	}
	for _, name := range names {
		p, is := holdings.FileTypeOf(name)
		// Parquet that only older snapshots of the table refer to is not a litter.
		if is && !v.named[name] && !(tabled && p.Ext == holdings.ExtParquet) {
			v.found("%s: nothing names it", name)
		}
	}
	return nil
}
