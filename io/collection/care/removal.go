package care

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/interim"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// TakeDown adds entries to the list and removes their pages from the folder: documents, content and texts, index lines,
// feeds, links, and quotes in rejects. It also removes shards that compactions replaced, the last run's report, and
// interim files. Shards without those pages stay as they are. It returns the entries as listed; the last one counts the
// removals for all. They stay unfinished until takedown.End.
//
// Entries that are already listed keep their time, and their pages are removed again, so an interrupted TakeDown can be
// repeated. Until then reading the collection ends with ErrChanged.
//
// In a collection with an Iceberg table, shards that leave the manifest stay until Expire. Before Parquet shards of
// documents are rewritten under their names, tell is called with those names, for whatever refers to these files. It
// may be nil.
func TakeDown(
	ctx context.Context, c Collection, entries []takedown.Entry, tell func(names []string) error,
) ([]takedown.Entry, error) {
	f := c.Folder()
	// Finished, so that the same command can continue after a crash.
	m, err := ledger.Finished(f)
	if err != nil {
		return nil, err
	}
	if _, err := wholeRows(c, m); err != nil {
		return nil, err
	}
	list, err := takedown.Read(f)
	if err != nil || len(entries) == 0 {
		return nil, err
	}
	places := list.Add(entries)
	for _, at := range places {
		list.Entries[at].Unfinished = true
	}
	if err := list.Save(f); err != nil { // first, so that no run brings back the pages
		return nil, err
	}
	t := newRemoval(ctx, c, list)
	t.tell, t.later = tell, true
	if err := t.all(); err != nil {
		return nil, fmt.Errorf("take down: %w", err)
	}
	// One pass removes the documents of all entries, so only their sum is known.
	last := &list.Entries[places[len(places)-1]]
	last.Documents += t.documents // what a killed attempt removed is not counted
	last.Shards += t.shards
	for i, at := range places {
		entries[i] = list.Entries[at]
	}
	return entries, list.Save(f)
}

func (t *removal) all() error {
	// Shared shards first: their documents are not in units' shards.
	if err := t.shared(); err != nil {
		return err
	}
	rows, err := t.c.Rows()
	if err != nil {
		return err
	}
	k, err := t.c.Compaction()
	if err != nil {
		return err
	}
	t.moved = k.Moved()
	if err := t.tallyMoved(rows, k); err != nil {
		return err
	}
	keys, err := t.affectedUnits(rows)
	if err != nil {
		return err
	}
	// Each unit has its own commit, so that progress survives a crash.
	for _, key := range keys {
		if err := t.unit(rows[key]); err != nil {
			return fmt.Errorf("unit %s: %w", ledger.UnitOfKey(key), err)
		}
	}
	// The report names the slowest pages, and templates are made from pages.
	err = errors.Join(t.f.Remove(holdings.ReportFile), t.f.Remove(holdings.PageFile), interim.Keep(t.f, nil))
	if err != nil {
		return err
	}
	tabled, err := ledger.HasTable(t.f)
	if err != nil {
		return err
	}
	if t.later && tabled {
		return Refinish(t.c)
	}
	_, err = Expire(t.c, nil) // writes the manifest, too
	return err
}

// shared removes documents from the shared shards.
func (t *removal) shared() error {
	k, err := t.c.Compaction()
	if err != nil || len(k.Shards) == 0 {
		return err
	}
	next, changed := k, false
	next.Shards = nil
	for _, s := range k.Shards {
		has := false
		for url, err := range holdings.ReadParquetURLs(t.f, s.Shard) {
			if err = errors.Join(err, t.ctx.Err()); err != nil {
				return err
			}
			// A first reading only looks: most shards have none of the pages and are not rewritten.
			if has = t.list.Has(url); has {
				break
			}
		}
		if has {
			changed = true
			t.shards++
			stays := func(_ int, d *schemas.Document) bool { return !t.take(d) }
			if s, err = shard.Rewrite(t.f, k.Order, s, stays); err != nil {
				return err
			}
		}
		// An empty shard has no file.
		if s.Rows > 0 {
			next.Shards = append(next.Shards, s)
		}
	}
	if !changed {
		return nil
	}
	// Replaced shards are listed, so that Expire removes them.
	for _, s := range k.Shards {
		next.Replaced = append(next.Replaced, s.Shard)
	}
	next.Replaced = next.Gone()
	return t.c.SaveCompaction(next)
}

// unit rewrites the shards of a unit.
func (t *removal) unit(r ledger.Row) error {
	here := slices.DeleteFunc(slices.Clone(r.Shards), t.moved.Has)
	left := t.fewer[ledger.UnitOfKey(r.Key)]
	// The same key gives the same names: new shards replace the old ones.
	w, err := shard.NewWriter(t.f, r.Unit, r.Key, optionsOf(r, here))
	if err != nil {
		return err
	}
	defer w.Abort()
	if left == nil && slices.ContainsFunc(here, isDocuments) {
		left = newTally() // filled by copy
	}
	captures, err := t.copy(w, here, left, &r.Counts)
	if err != nil {
		return err
	}
	for _, s := range here {
		// Texts are copied member by member, without an encoder.
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
	t.shards += w.Outputs()
	return w.Replace(r)
}

// optionsOf returns the options with which a unit wrote these shards, without texts.
func optionsOf(r ledger.Row, shards []schemas.Shard) shard.Options {
	o := shard.Options{Versions: r.Versions}
	for _, s := range shards {
		p, _ := holdings.FileTypeOf(s.Name)
		switch p.Kind {
		case holdings.KindFeeds:
			o.Feeds = true
		case holdings.KindRejects:
			for _, k := range []jsonl.Compression{jsonl.Zstd, jsonl.Gzip, jsonl.None} {
				if k.Ext() == p.Ext {
					o.Compression = k
				}
			}
		}
	}
	o.Formats = slices.DeleteFunc(holdings.FormatsOf(shards), func(f string) bool { return f == holdings.FormatWET })
	if len(o.Formats) == 0 {
		o.Formats = []string{holdings.FormatCDXJ} // only the shards that every unit has
	}
	return o
}

// isDocuments reports whether a shard holds documents.
func isDocuments(s schemas.Shard) bool {
	p, _ := holdings.FileTypeOf(s.Name)
	return p.Kind == holdings.KindDocuments
}

// copy copies to w what remains of a unit's shards, and counts the remaining documents. It returns the number of index
// lines that were removed.
func (t *removal) copy(
	w *shard.Writer, shards []schemas.Shard, left *tally, counts *schemas.Counts,
) (captures int64, err error) {
	p := holdings.Part{Folder: t.f, Shards: shards}
	for d, err := range p.Documents(t.ctx) {
		if err == nil && !t.take(d) {
			// Counted here, so that the row's counts are those of the kept documents.
			left.add(d)
			err = w.Document(d)
		}
		if err != nil {
			return 0, err
		}
	}
	for r, err := range t.contents(p) {
		if err == nil && !t.list.Content(r) {
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
		// This includes rows of feeds that a listed page announces.
		case err == nil && t.list.Feed(f):
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
	if err := t.copyData(w, p, counts); err != nil {
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

// copyRejects copies to w the remaining rejects, without their quotes of listed pages.
func (t *removal) copyRejects(w *shard.Writer, p holdings.Part, counts *schemas.Counts) error {
	for r, err := range p.Rejects(t.ctx) {
		switch {
		// Rejects of reading are kept and cleaned: without their bytes the totals of an archive would not add up.
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
	// Kinds without rejects are not named.
	maps.DeleteFunc(counts.ByReject, func(_ string, n int64) bool { return n <= 0 })
	return nil
}
