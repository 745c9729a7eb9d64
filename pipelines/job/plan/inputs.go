package plan

import (
	"context"
	"maps"
	"os"
	"slices"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/schemas"
)

// addArchives plans to read archives; without any names, those of the project.
func (p *Plan) addArchives(ctx context.Context, store *blob.Store) error {
	c := p.Request
	// It must be the first source: it replaces p.Inputs, to which the others add.
	args := slices.DeleteFunc(slices.Clone(c.Inputs), standing.IsTopic)
	// A command that names only topics or indexes reads no archives.
	if len(args) == 0 && len(c.Inputs)+len(c.Indexes) > 0 {
		return p.keeper.archives(nil, nil)
	}
	if len(args) == 0 {
		if _, err := os.Stat(defaultInput); err != nil {
			return cli.Usagef("no archives named, and there is no %s here to read instead; name files, folders or patterns",
				defaultInput)
		}
		args = []string{defaultInput}
	}
	// Find calls Listed before it divides any file, so that the rows that stay are settled before it asks Taken.
	in, err := work.Find(ctx, store, args, c.Stdin, work.FindOptions{
		UnitSize: c.UnitSize, Output: c.Output, Wanted: p.chooser.wanted, Known: p.folder.Known,
		Listed: func(files []blob.Info, twice []blob.Twice) error { return p.keeper.archives(files, twice) },
		Taken:  func(r schemas.Range) bool { return p.keeper.taken.Has(r) },
	})
	if err != nil {
		return inputError(ctx, err)
	}
	// Notes are about what Find skipped, such as repeated names and empty folders.
	for _, note := range in.Notes() {
		p.Request.Log.Warn(note)
	}
	p.Inputs = in
	return p.keeper.check(p.Units)
}

// addIndexes plans to read the records that the lines of indexes point to.
func (p *Plan) addIndexes(ctx context.Context, store *blob.Store) error {
	c := p.Request
	if len(c.Indexes) == 0 {
		return p.keeper.indexes(nil, nil)
	}
	files, err := store.Expand(ctx, c.Indexes, c.Stdin)
	if err != nil {
		return inputError(ctx, err)
	}
	// An unreadable archive leaves a note and the run goes on. An unreadable index is an error, because nobody would
	// know which captures are missing.
	for _, f := range files {
		if f.Unreadable != "" {
			return cli.Usagef("--cdx: %s: %s", schemas.Printable(f.Name), f.Unreadable)
		}
	}
	if files, err = p.Add(files, p.chooser.wanted); err != nil {
		return err
	}
	lookups, err := c.lookups(ctx, store, files)
	if err != nil {
		return err
	}
	if err := p.keeper.indexes(files, lookups); err != nil {
		return err
	}
	// Indexes are planned one by one because each may have its own folder of archives. IDs continue those of the
	// plan.
	var units []schemas.Unit
	for i := range files {
		more, err := work.PlanIndexes(ctx, store, files[i:i+1], c.UnitSize, lookups[i], len(p.Units)+len(units))
		if err != nil {
			return inputError(ctx, err)
		}
		units = append(units, more...)
	}
	// A unit of an index has one input: a range of its lines.
	units = slices.DeleteFunc(units, func(u schemas.Unit) bool { return p.keeper.taken.Has(u.Inputs[0]) })
	if err := p.keeper.check(units); err != nil {
		return err
	}
	for _, u := range units {
		p.Bytes += u.Bytes()
	}
	p.Units = append(p.Units, units...)
	return nil
}

// addTopics plans to read topics up to their present end, so that a run ends and the next one continues there.
func (p *Plan) addTopics(ctx context.Context, _ *blob.Store) error {
	var all []schemas.Unit
	found := map[string]string{}
	for _, url := range p.Request.Inputs {
		if !standing.IsTopic(url) {
			continue
		}
		// The units are numbered below.
		units, stamps, err := planTopic(ctx, url, p.Request.Sinks.KafkaProperties())
		if err != nil {
			return inputError(ctx, err)
		}
		all = append(all, units...)
		maps.Copy(found, stamps)
	}
	// Ranges of earlier runs are removed, and units with them: so numbering comes afterwards.
	all, err := p.keeper.topics(all, found)
	if err != nil {
		return err
	}
	maps.Copy(p.Stamps, found)
	for _, u := range all {
		u.ID = len(p.Units)
		p.Bytes += u.Bytes()
		p.Units = append(p.Units, u)
	}
	return nil
}
