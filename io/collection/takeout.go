package collection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// TakeDown puts entries on the list and removes from the folder all that is of their pages: documents, records of
// content and texts, lines of the index, feeds, and what rejects say of them; with that the shards that a compaction
// has left behind, what was measured of the last run, and interim files. Shards without any of it stay as they are. It
// returns the entries as they are on the list, with what was removed for all of them in the last.
//
// Entries that are on the list already are looked for again, and stay with the time of when they were first asked for,
// so that one that was interrupted can be repeated; until then reading the collection ends with ErrChanged.
//
// Where the collection has an Iceberg table, shards that are no longer the manifest's stay: Expire removes them, when
// the table does not name them any more. See Replacing.
func (c *Collection) TakeDown(ctx context.Context, entries []Takedown) ([]Takedown, error) {
	// Also of a change that was killed: the same command goes on.
	if _, err := Finished(c.f); err != nil {
		return nil, err
	}
	list, err := ReadTakedowns(c.f)
	if err != nil || len(entries) == 0 {
		return nil, err
	}
	places := list.add(entries)
	if err := list.save(c.f); err != nil { // first, so that no run brings back what is being removed
		return nil, err
	}
	t := &takeOut{c: c, ctx: ctx, list: list, later: true}
	if err := t.all(); err != nil {
		return nil, fmt.Errorf("collection: take down: %w", err)
	}
	// One count for all entries of the call: documents are removed in one pass, whichever of them they are
	// on.
	last := &list.Entries[places[len(places)-1]]
	last.Documents += t.documents // what an attempt that was killed has removed, nobody has counted
	last.Shards += t.shards
	for i, at := range places {
		entries[i] = list.Entries[at]
	}
	return entries, list.save(c.f)
}

func (t *takeOut) all() error {
	// Shared shards first: what they have is not in those of units.
	if err := t.shared(); err != nil {
		return err
	}
	rows, err := t.c.rows()
	if err != nil {
		return err
	}
	if err := t.tallyMoved(rows); err != nil {
		return err
	}
	keys, err := t.affectedUnits(rows)
	if err != nil {
		return err
	}
	// Unit by unit, each with a commit of its own: killed in between, those that were done stay done.
	for _, key := range keys {
		if err := t.unit(rows[key]); err != nil {
			return fmt.Errorf("unit %s: %w", nameOf(key), err)
		}
	}
	// What is measured names the slowest pages, and templates are made of pages.
	err = errors.Join(t.c.f.Remove(holdings.ReportFile), t.c.f.Remove(holdings.PageFile), t.c.KeepInterims(nil))
	if err != nil {
		return err
	}
	tabled, err := t.c.isTabled()
	if err != nil {
		return err
	}
	if t.later && tabled {
		_, err = t.c.Refinish()
		return err
	}
	_, err = t.c.Expire(nil) // writes the manifest, too
	return err
}

// shared takes documents out of the shards of many units.
func (t *takeOut) shared() error {
	k, err := t.c.compaction()
	if err != nil || len(k.Shards) == 0 {
		return err
	}
	next, changed := k, false
	next.Shards = nil
	for _, s := range k.Shards {
		has := false
		for d, err := range holdings.ReadParquet(t.c.f, s.Shard) {
			if err = errors.Join(err, t.ctx.Err()); err != nil {
				return err
			}
			// A first reading that only looks: most shards have nothing of the pages, and are not written.
			if has = t.list.Has(d.URL); has {
				break
			}
		}
		if has {
			changed = true
			t.shards++
			if s, err = t.c.rewriteShared(k, s, func(_ int, d *schemas.Document) bool { return !t.take(d) }); err != nil {
				return err
			}
		}
		// A shard of which nothing is left has no file.
		if s.Rows > 0 {
			next.Shards = append(next.Shards, s)
		}
	}
	if !changed {
		return nil
	}
	// Those that were written again are gone for good: nothing may keep them.
	for _, s := range k.Shards {
		if !slices.ContainsFunc(next.Shards, func(n CompactShard) bool { return n.Name == s.Name }) {
			next.Replaced = append(next.Replaced, s.Shard)
		}
	}
	return t.c.saveCompaction(next)
}

// take reports whether a document goes, and counts it.
func (t *takeOut) take(d *schemas.Document) bool {
	if !t.list.Has(d.URL) {
		return false
	}
	t.documents++
	return true
}

// affected reports whether a unit has anything of a page on the list, in shards whose documents were not moved.
func (t *takeOut) affected(shards []schemas.Shard) (bool, error) {
	p := holdings.Part{Folder: t.c.f, Shards: shards}
	for l, err := range p.Captures(t.ctx) {
		if err != nil || t.list.Has(l.URL) {
			return true, err
		}
	}
	for r, err := range p.Rejects(t.ctx) {
		if err != nil || t.list.Has(r.URL) {
			return true, err
		}
	}
	for f, err := range p.Feeds(t.ctx) {
		if err != nil || t.list.Has(f.URL) || t.list.Has(f.Page) {
			return true, err
		}
	}
	for d, err := range p.Documents(t.ctx) {
		if err != nil || t.list.Has(d.URL) {
			return true, err
		}
	}
	for l, err := range p.Links(t.ctx) {
		if err != nil || t.gone(&l) {
			return true, err
		}
	}
	return false, nil
}

// unit writes the shards of a unit again.
func (t *takeOut) unit(r Row) error {
	moved, err := t.c.movedShards()
	if err != nil {
		return err
	}
	here := slices.DeleteFunc(slices.Clone(r.Shards), moved.has)
	left := t.moved[nameOf(r.Key)]
	// The same key, and so the same names: what is written takes the place of what is there.
	w, err := NewWriter(t.c.f, r.Unit, r.Key, optionsOf(r, here))
	if err != nil {
		return err
	}
	defer w.Abort()
	if left == nil && slices.ContainsFunc(here, isDocuments) {
		left = newTally() // of what copy leaves
	}
	captures, err := t.copy(w, here, left, &r.Counts)
	if err != nil {
		return err
	}
	for _, s := range here {
		// Texts are copied member by member, and not written by an encoder.
		if p, _ := holdings.FileTypeOf(s.Name); p.Kind == holdings.KindTexts {
			if err := t.texts(w, s); err != nil {
				return err
			}
		}
	}
	if left != nil {
		captures = max(captures, left.set(&r))
	}
	r.Hosts = t.withoutHosts(r.Hosts)
	r.TakenDown += captures
	t.shards += len(w.outputs)
	return w.replace(r)
}

// optionsOf are those by which a unit wrote these shards, texts left out.
func optionsOf(r Row, shards []schemas.Shard) Options {
	o := Options{Versions: r.Versions}
	for _, s := range shards {
		p, _ := holdings.FileTypeOf(s.Name)
		switch p.Kind {
		case holdings.KindFeeds:
			o.Feeds = true
		case holdings.KindRejects: // compressed as all lines of the unit are
			for _, k := range []jsonl.Compression{jsonl.Zstd, jsonl.Gzip, jsonl.None} {
				if k.Ext() == p.Ext {
					o.Compression = k
				}
			}
		}
	}
	o.Formats = slices.DeleteFunc(holdings.FormatsOf(shards), func(f string) bool { return f == holdings.FormatWET })
	if len(o.Formats) == 0 {
		o.Formats = []string{holdings.FormatCDXJ} // the shards that every unit has
	}
	return o
}

// isDocuments reports whether a shard is of documents.
func isDocuments(s schemas.Shard) bool {
	p, _ := holdings.FileTypeOf(s.Name)
	return p.Kind == holdings.KindDocuments
}

// copy writes to w what stays of a unit's shards, counts the documents among it, and tells how many lines of the index
// do not stay.
func (t *takeOut) copy(
	w *Writer, shards []schemas.Shard, left *tally, counts *schemas.Counts,
) (captures int64, err error) {
	p := holdings.Part{Folder: t.c.f, Shards: shards}
	for d, err := range p.Documents(t.ctx) {
		if err == nil && !t.take(d) {
			// Counted as it is kept, so that the row's counts are those of what is there.
			left.add(d)
			err = w.Document(d)
		}
		if err != nil {
			return 0, err
		}
	}
	read := func(s schemas.Shard) iter.Seq2[*datastreamer.Content, error] {
		return holdings.ReadLines[*datastreamer.Content](t.c.f, s)
	}
	for r, err := range holdings.Each(t.ctx, p.Of(holdings.KindContent), read) {
		if err == nil && !t.list.Has(r.Permalink) && !t.list.Has(r.Resource) && !t.list.Has(r.Link) {
			err = w.Content(r)
		}
		if err != nil {
			return 0, err
		}
	}
	if err := t.copyRejects(w, p, counts); err != nil {
		return 0, err
	}
	for f, err := range p.Feeds(t.ctx) {
		switch {
		// Also a row of a feed that a page on the list announces.
		case err == nil && (t.list.Has(f.URL) || t.list.Has(f.Page)):
			counts.Feeds = max(0, counts.Feeds-1)
		case err == nil:
			err = w.Feed(f)
		}
		if err != nil {
			return 0, err
		}
	}
	if err := t.copyLinks(w, p, counts); err != nil {
		return 0, err
	}
	for l, err := range p.Captures(t.ctx) {
		switch {
		case err == nil && t.list.Has(l.URL):
			captures++
		case err == nil:
			err = w.CDX(l)
		}
		if err != nil {
			return 0, err
		}
	}
	return captures, nil
}

// copyRejects writes to w the rejects that stay, without what they quote of pages that do not.
func (t *takeOut) copyRejects(w *Writer, p holdings.Part, counts *schemas.Counts) error {
	for r, err := range p.Rejects(t.ctx) {
		switch {
		// Rejects of reading are kept and cleaned: their bytes are needed for an archive to come out even.
		case err == nil && r.Stage != "read" && t.list.Has(r.URL):
			counts.Rejects--
			schemas.Count(&counts.ByReject, string(r.Kind), -1)
		case err == nil:
			err = w.Reject(t.list.Clean(r))
		}
		if err != nil {
			return err
		}
	}
	// Kinds of which none is left are not named.
	maps.DeleteFunc(counts.ByReject, func(_ string, n int64) bool { return n <= 0 })
	return nil
}

// replace gives the outputs the names of the shards that they are in place of, and then writes the row, as Commit does.
func (w *Writer) replace(r Row) error {
	// The caller's row is still that of the folder, should this fail.
	r.Shards, r.Modified = slices.Clone(r.Shards), slices.Clone(r.Modified)
	// The index of captures last: as long as it names the page, affected finds the unit again.
	slices.SortStableFunc(w.outputs, func(a, b *output) int { return cmp.Compare(rank(a.name), rank(b.name)) })
	for _, o := range w.outputs {
		s, err := o.finish()
		if err != nil {
			return err
		}
		// By name: outputs are sorted here, and shards are in the row's order.
		i := slices.IndexFunc(r.Shards, func(old schemas.Shard) bool { return old.Name == s.Name })
		if i < 0 {
			return fmt.Errorf("%s is not a shard of its unit", s.Name)
		}
		if r.Shards[i] = s; i < len(r.Modified) {
			r.Modified[i] = o.time
		}
	}
	// The row that was read, with other shards and counts: what it says of its inputs stays.
	w.row = r
	defer w.Abort()
	return w.publish()
}

// rank is 1 for shards of captures, and 0 for others.
func rank(name string) int {
	if p, _ := holdings.FileTypeOf(name); p.Kind == holdings.KindCaptures {
		return 1
	}
	return 0
}

// settlePending is for the row of a unit whose shards were being replaced: some may have been, others not. A row is
// written that says what is there. It goes on when it is asked for again.
func (c *Collection) settlePending(next Row) error {
	row, err := readRow(c.f, rowName(next.Key), next.Key)
	if errors.Is(err, ErrContent) {
		return nil // the next one to read it removes it
	}
	if err != nil {
		return err
	}
	changed := false
	for i, s := range row.Shards {
		j := slices.IndexFunc(next.Shards, func(n schemas.Shard) bool { return n.Name == s.Name && n.SHA256 != s.SHA256 })
		if j < 0 {
			continue
		}
		// By content: only the hash reports whether the old or the new shard stands under the name.
		if _, sum, err := hashFile(c.f, s.Name); err != nil || sum != next.Shards[j].SHA256 {
			continue // it is the old one, or missing: Resume says so
		}
		row.Shards[i], changed = next.Shards[j], true
		settleCounts(&row, next, s.Name)
		if i < len(row.Modified) && j < len(next.Modified) {
			row.Modified[i] = next.Modified[j]
		}
	}
	if !changed {
		return nil
	}
	data, err := folder.EncodeJSON(row)
	if err != nil {
		return err
	}
	return c.f.Write(holdings.Hidden(rowName(row.Key)), data)
}

// settleCounts gives a row the counts that come with a shard which was replaced.
func settleCounts(row *Row, next Row, name string) {
	p, _ := holdings.FileTypeOf(name)
	before := row.Counts
	switch p.Kind {
	case holdings.KindCaptures: // the last: all others were, too
		row.Counts, row.Hosts = next.Counts, next.Hosts
	// Documents and hosts come with it; the others have shards of their own, which may not be replaced
	// yet.
	case holdings.KindDocuments:
		row.Counts, row.Hosts = next.Counts, next.Hosts
		row.TakenDown, row.Rejects, row.ByReject, row.Feeds = before.TakenDown, before.Rejects, before.ByReject, before.Feeds
		row.Links = before.Links
	case holdings.KindFeeds:
		row.Feeds = next.Feeds
	case holdings.KindLinks:
		row.Links = next.Links
	case holdings.KindRejects:
		row.Rejects, row.ByReject = next.Rejects, next.ByReject
	}
}
