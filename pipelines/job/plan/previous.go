package plan

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/pipelines/sinks"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// complete reads what the folder has, and completes the request by it. The recipe of the folder's rows applies, as far
// as the command leaves it open.
func (c *Request) complete(ctx context.Context) (*standing.Folder, error) {
	// With --watch, the database of sources may have changed since the command began.
	if err := c.readSources(ctx); err != nil {
		return nil, err
	}
	h, err := readFolder(ctx, *c)
	if err != nil {
		return nil, err
	}
	if err := c.keepOptions(h); err != nil {
		return nil, c.busyOr(ctx, err)
	}
	h.Divide(c.Division())
	return h, nil
}

// keepOptions adds the options of the folder to a command's: formats are only ever added. It returns a usage error
// for options that would change documents or take something away from them.
func (c *Request) keepOptions(h *standing.Folder) error {
	// An empty folder, or one with unknown options, sets nothing.
	if len(h.Rows) == 0 || h.LastRun.Options == nil {
		return nil
	}
	then, err := recipe.Noted(h.LastRun.Options)
	if err != nil {
		return fmt.Errorf("the options that %s was written with: %w", c.Output, err)
	}
	if c.Keep.WithoutSources {
		then.SourcesMade = ""
	}
	if name := ownExtractor(h, then, c.Extract); name != "" {
		return cli.Usagef("%s has values of the extractor %s, which this command does not run: give --plug or --tokens as "+
			"the command that made them did, or name another --output, or replace it all by --fresh", c.Output, name)
	}
	// An index alone has no documents that options could change.
	documents := slices.ContainsFunc(then.Formats, func(f string) bool { return f != holdings.FormatCDXJ })
	if documents && c.IndexOnly() {
		if err := c.indexDocuments(h, then); err != nil {
			return err
		}
	}
	// The order of formats must not change keys.
	c.Formats = slices.Compact(slices.Sorted(slices.Values(slices.Concat(c.Formats, then.Formats))))
	if documents && onlyAdopted(then) {
		return nil
	}
	// By default the compression stays; mixing two would rarely be meant.
	if !c.Keep.Compression {
		c.Compression = then.Compression
	}
	takes := c.TakesAway
	if !documents {
		takes = c.TakesCaptures
	}
	if what := takes(then); what != "" {
		return c.takesAway(h, what)
	}
	return nil
}

// onlyAdopted reports whether no run has made documents. The limits of a run are positive.
func onlyAdopted(then recipe.Recipe) bool { return then.MaxHead == 0 }

// indexDocuments gives a command for an index alone the recipe of the folder's documents.
func (c *Request) indexDocuments(h *standing.Folder, then recipe.Recipe) error {
	// An index has no extractors, so documents would be empty.
	if onlyAdopted(then) {
		return cli.Usagef("%s has documents that were adopted, and --format=cdxj alone extracts nothing: add the "+
			"archives with --format=%s,cdxj", c.Output, strings.Join(then.Formats, ","))
	}
	// A unit done again here would not be sent, and the server would keep older documents.
	if sinks.In(h.LastRun.Options) {
		return cli.Usagef("%s has documents that were sent to a server as well, and --format=cdxj alone sends none: "+
			"give the command that made them, with cdxj added to its --format", c.Output)
	}
	// Records done again here would lose what the database knows of their sources.
	if then.SourcesMade != "" {
		return cli.Usagef("%s has records with fields of --sources, and --format=cdxj alone asks no database: give "+
			"the command that made them, with cdxj added to its --format", c.Output)
	}
	if what := c.OtherChoice(then); what != "" {
		return c.takesAway(h, what)
	}
	c.Recipe = c.Adopt(then)
	return nil
}

func (c *Request) takesAway(h *standing.Folder, what string) error {
	return cli.Usagef("%s: %s. What is there is not changed: give the options that it was made with, or name "+
		"another --output, or replace it all by --fresh",
		c.Output, strings.Replace(what, "%s", h.Describe(), 1)) // what may contain other percent signs
}

// ownExtractor returns an extractor of the user's that made values of the folder and is not among extract, or "". Other
// programs do not know their names, unlike those of extractors that Gleaner once had.
func ownExtractor(h *standing.Folder, then recipe.Recipe, extract []string) string {
	for _, name := range then.Extract {
		if slices.Contains(extract, name) {
			continue
		}
		for _, r := range h.Rows {
			if _, is := r.Versions[enrich.OwnPrefix+name]; is {
				return name
			}
		}
	}
	return ""
}

// asked returns the note of what a run is asked for.
func (c *Request) asked(h *standing.Folder, wd string) holdings.LastRun {
	return holdings.LastRun{
		Inputs: c.Inputs, Indexes: c.Indexes, Lookup: c.Lookup, Dir: wd, Options: c.Note(), Made: h.Made(),
	}
}

// readFolder reads what the output folder has. With --fresh the plan is the one for an empty folder. A dry run shows
// the job for all units and needs no bucket.
func readFolder(ctx context.Context, c Request) (h *standing.Folder, err error) {
	if c.Fresh || run.DryRun() {
		return standing.Empty(), nil
	}
	f := c.OpenFolder(ctx, "")
	defer func() { err = errors.Join(err, f.Close()) }()
	h, err = standing.Read(f)
	return h, OutputError(err)
}

// busyOr returns the error of a run that is at work in the folder, or else the refusal. After that run the folder may
// hold something else. A bucket's lock may take a minute to ask, so buckets have the refusal.
func (c *Request) busyOr(ctx context.Context, refusal error) error {
	if c.Shown || blob.IsRemote(c.Output) {
		return refusal
	}
	f := c.OpenFolder(ctx, "")
	defer func() { _ = f.Close() }() // nothing was written
	if err := claim.CheckFree(f); errors.Is(err, claim.ErrBusy) {
		return fmt.Errorf("%s: %w", c.Output, err)
	}
	return refusal
}

// Division names the rules by which a run divides archives.
func (c *Request) Division() string { return fmt.Sprintf("%d %s", c.UnitSize, archive.Version) }

// OutputError makes err a usage error if the folder cannot be used, as opposed to a disk that fails.
func OutputError(err error) error {
	return cli.OutputError(err, collection.ErrForeign)
}

// readSources reads the generation of the database of sources; each plan calls it again.
func (c *Request) readSources(ctx context.Context) (err error) {
	if c.Sources == "" {
		return nil
	}
	if c.SourcesMade, err = generationOf(ctx, c.Sources); err != nil {
		return cli.Usagef("--sources: %v", err)
	}
	return nil
}
