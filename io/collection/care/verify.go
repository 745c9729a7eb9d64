package care

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// maxProblems limits what Verify reports: after the loss of a disk not every file needs a line.
const maxProblems = 1000

// Verify reads every shard that the manifest names. It compares hashes, units' rows and numbers of documents, looks for
// pages that were taken down, and for shards that nothing names. It changes nothing. problems has at most 1,000
// entries; err means that the collection could not be examined.
func Verify(ctx context.Context, f folder.Folder) (problems []error, err error) {
	m, err := holdings.ReadManifest(f)
	if err != nil {
		return nil, err
	}
	// The folder is not opened: nothing is swept, and a run may be under way.
	v := &verifier{ctx: ctx, f: f, m: m, named: map[string]bool{}}
	if v.list, err = takedown.Read(f); err != nil {
		return nil, err
	}
	// An unreadable note is a problem in itself.
	if v.compacted, err = ledger.ReadCompaction(f); err != nil {
		return []error{err}, nil
	}
	// A folder of layout 1 is examined as it is: only a run migrates it.
	if v.older, err = ledger.IsOlder(f); err != nil {
		return nil, err
	}
	if v.rows, v.bad, err = ledger.ReadRows(f, nil); err != nil {
		return nil, err
	}
	ch, there, err := ledger.ReadChange(f)
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
	f         folder.Folder
	m         schemas.Manifest
	list      takedown.List
	compacted ledger.Compaction
	older     bool // the folder is of layout 1
	change    bool // a run has not ended: its units wait, which is not a problem
	// committing means that a change was interrupted between its notes and the manifest. The next process to open the
	// folder completes it; until then the notes are not compared with the manifest.
	committing bool
	rows       map[string]ledger.Row
	bad        []string
	named      map[string]bool // shards that are correct or already reported
	lines      map[string]bool // units with documents in JSON lines; nil before first use
	documents  int64
	expected   int64 // documents by the manifest, of units that have shards of documents
	problems   []error
}

func (v *verifier) found(format string, args ...any) {
	if len(v.problems) < maxProblems {
		v.problems = append(v.problems, fmt.Errorf(format, args...))
	}
}

// units examines the shards of the manifest.
func (v *verifier) units() error {
	byUnit := map[string]ledger.Row{}
	for _, r := range v.rows {
		byUnit[ledger.UnitOfName(r.Shards[0].Name)] = r // a valid row has shards
	}
	shared := map[string]ledger.CompactShard{}
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
		unit, err := ledger.UnitOfShards(u.Shards)
		if v.older && err != nil {
			unit, err = ledger.OlderUnitOf(u.Shards)
		}
		if err != nil {
			v.found("manifest: unit %d: %w", u.ID, err)
			continue
		}
		if _, is := shared[u.Shards[0].Name]; is {
			delete(shared, u.Shards[0].Name)
			continue
		}
		// The manifest and the rows must agree; either may have been edited.
		row, there := byUnit[unit]
		if !there {
			v.found("unit %d: its row is missing", u.ID)
			continue
		}
		// Rows that remain at the end are unknown to the manifest.
		delete(byUnit, unit)
		// Units count documents even if they wrote only texts or content.
		if holdsDocuments(row.Shards) {
			v.expected += u.Documents
		}
		if want := v.compacted.Apply([]schemas.UnitResult{row.UnitResult})[0]; !slices.Equal(want.Shards, u.Shards) {
			v.found("unit %d: its row and the manifest name different shards", u.ID)
		}
	}
	v.unknown(byUnit, shared)
	v.count()
	return nil
}

// unknown reports rows, by unit, and shared shards that the manifest does not name.
func (v *verifier) unknown(byUnit map[string]ledger.Row, shared map[string]ledger.CompactShard) {
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

// count compares the number of documents with the manifest's.
func (v *verifier) count() {
	if v.committing || len(v.problems) > 0 { // a missing shard would be reported twice
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

// holdsDocuments reports whether any of the shards holds documents.
func holdsDocuments(shards []schemas.Shard) bool { return slices.ContainsFunc(shards, isDocuments) }

// all returns the shards of the manifest.
func (v *verifier) all() (list []schemas.Shard) {
	for _, u := range v.m.Units {
		list = append(list, u.Shards...)
	}
	return list
}

func (v *verifier) shard(s schemas.Shard) error {
	if err := v.ctx.Err(); err != nil {
		return err
	}
	size, sum, err := ledger.HashFile(v.f, s.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		v.found("%s: missing", s.Name)
		return nil
	case err != nil:
		v.found("%s: %w", s.Name, err)
		return nil
	// Its content is not what the unit wrote, so it is not examined.
	case size != s.Bytes || sum != s.SHA256:
		v.found("%s: not as it was written", s.Name)
		return nil
	}
	p := holdings.Part{Folder: v.f, Shards: []schemas.Shard{s}}
	held, _ := holdings.FileTypeOf(s.Name)
	// The bytes are right. The content is read because takedowns may be newer.
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
	// If a unit has both formats, the manifest counts each document once.
	if held.Ext != holdings.ExtParquet || !v.alsoLines(s) {
		v.documents += n
	}
	// A shard yields only records of its own kind.
	for l, err := range p.Captures(v.ctx) {
		if err != nil {
			v.found("%w", err)
			return v.ctx.Err()
		}
		if v.list.Has(l.URL) {
			v.found("%s: has a line of a page that was taken down", s.Name)
		}
	}
	return v.removed(s, held.Kind)
}

// removed looks for pages that were taken down in shards of other kinds than documents and captures.
func (v *verifier) removed(s schemas.Shard, kind string) error {
	if len(v.list.Entries) == 0 || kind == holdings.KindDocuments || kind == holdings.KindCaptures {
		return nil
	}
	t := &removal{f: v.f, ctx: v.ctx, list: v.list}
	has, err := t.affected([]schemas.Shard{s})
	if kind == holdings.KindTexts {
		has, err = t.hasTexts(s)
	}
	switch {
	case err != nil:
		v.found("%s: %w", s.Name, err)
	case has:
		v.found("%s: has something of a page that was taken down", s.Name)
	}
	return v.ctx.Err()
}

// alsoLines reports whether the unit of a Parquet shard has its documents in JSON lines, too.
func (v *verifier) alsoLines(s schemas.Shard) bool {
	if v.lines == nil {
		v.lines = map[string]bool{}
		for _, o := range v.all() {
			if n, _ := holdings.FileTypeOf(o.Name); n.Kind == holdings.KindDocuments && n.Ext != holdings.ExtParquet {
				v.lines[ledger.UnitOfName(o.Name)] = true
			}
		}
	}
	return v.lines[ledger.UnitOfName(s.Name)]
}

// sources examines the sources of moved rows, and the index.
func (v *verifier) sources() error {
	if v.committing {
		return nil
	}
	for _, s := range v.compacted.Shards {
		// Without its sources a shard cannot be rewritten, as takedowns need.
		if _, err := ledger.ReadSources(v.f, s); err != nil {
			v.found("sources of the rows of %s: %w", s.Name, err)
		}
	}
	for _, s := range v.m.Files {
		if size, sum, err := ledger.HashFile(v.f, s.Name); err != nil || size != s.Bytes || sum != s.SHA256 {
			v.found("%s: not as it was written", s.Name)
		}
	}
	return v.ctx.Err()
}

// others looks for shards that nothing names. An unfinished run and snapshots of a table may name some.
func (v *verifier) others() error {
	if v.change {
		return nil
	}
	// These stay until they expire.
	for name := range v.compacted.Moved() {
		v.named[name] = true
	}
	for _, s := range v.compacted.Files() {
		v.named[s.Name] = true
	}
	names, err := v.f.Names("")
	if err != nil {
		return err
	}
	tabled, err := ledger.HasTable(v.f)
	if err != nil {
		return err
	}
	for _, name := range names {
		p, is := holdings.FileTypeOf(name)
		// Older snapshots of the table may refer to Parquet.
		if is && !v.named[name] && !(tabled && p.Ext == holdings.ExtParquet) {
			v.found("%s: nothing names it", name)
		}
	}
	return nil
}
