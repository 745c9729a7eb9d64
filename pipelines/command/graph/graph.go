// Package graph is the command that makes host and domain graphs from the links of collections.
//
// It is only the command line; io/derived/linkgraph does the work, in one process. It links no Beam. See
// docs/links.md.
package graph

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/derived/linkgraph"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/linkindex"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/hostgraph"
	"github.com/gleaner-web/gleaner/schemas"

	// The buckets that collections lie in, and graphs are written to.
	_ "github.com/gleaner-web/gleaner/io/storage/buckets"
)

// Verb is the command.
var Verb = cli.Verb{
	Name: "graph", Brief: "make the graphs of hosts and domains of links, with ranks",
	Flags: func(set *flag.FlagSet) *cli.Flags { return newFlags(set, new(config)) },
	Do:    do,
}

func do(ctx context.Context, args []string) (code int, err error) {
	c, err := parse(args)
	if err != nil {
		return cli.ExitUsage, err
	}
	store := blob.New(blob.Options{UserAgent: "gleaner"})
	// Deferred calls run in reverse order: folders close before their store.
	defer func() { err = errors.Join(err, store.Close()) }()
	// Before the output is made, so that a wrong name leaves no empty folder.
	parts, err := c.parts(ctx, store)
	if err != nil {
		return cli.ExitUsage, err
	}
	out := folder.Open(ctx, c.output, store)
	defer func() { err = errors.Join(err, out.Close()) }()
	w, err := newWriting(out)
	if err != nil {
		return cli.ExitFailed, cli.OutputError(err, errForeign)
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if err := c.checkBefore(w.f); err != nil {
		return cli.ExitUsage, err
	}
	m, err := c.build(ctx, parts, w)
	if err != nil {
		return cli.ExitFailed, err
	}
	return cli.ExitDone, summary(os.Stdout, m)
}

// parts returns the collections. It refuses one without links: ingest writes them only if asked to.
func (c config) parts(ctx context.Context, store *blob.Store) (list []holdings.Part, err error) {
	for _, name := range c.collections {
		p, m, err := holdings.Whole(folder.Open(ctx, name, store))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, cli.Usagef("%s: not a collection, or one of which no run has finished: run ingest first", name)
		} else if err != nil {
			return nil, err
		}
		if len(m.Units) > 0 && !slices.Contains(holdings.FormatsOf(p.Shards), holdings.FormatLinks) {
			return nil, cli.Usagef("%s: has no links: ingest its archives with --format=links beside its formats", name)
		}
		if n := lacking(m); n > 0 {
			slog.Warn(name+": the graph is of a part of it, since some units were made without --format=links: ingest their "+
				"archives with it", "units", n, "of", len(m.Units))
		}
		list = append(list, p)
	}
	return list, nil
}

// lacking returns the number of units that were made without links.
func lacking(m schemas.Manifest) (n int) {
	for _, u := range m.Units {
		made := u.MadeWith
		if made == nil {
			made = m.Options
		}
		// A manifest of an earlier version may not name them.
		formats, known := made["formats"].([]any)
		if known && u.Documents > 0 && !slices.Contains(formats, any(holdings.FormatLinks)) {
			n++
		}
	}
	return n
}

// checkBefore refuses to replace a graph of other collections or options unless --fresh is given.
func (c config) checkBefore(f folder.Folder) error {
	if c.fresh {
		return nil
	}
	m, err := readManifest(f)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	// Earlier versions stored names as typed.
	case slices.Equal(allAbsolute(m.Collections), allAbsolute(c.collections)) && slices.Equal(m.Places, c.places) &&
		m.Where == c.where && slices.Equal(m.Formats, c.options.Formats) && m.Exact == c.options.Exact:
		return nil
	}
	return cli.Usagef("--output=%s holds a graph of --collection=%s, made with --place=%s --where=%s --format=%s "+
		"--exact=%d: name another folder, or replace it with --fresh", c.output, strings.Join(m.Collections, ","),
		strings.Join(m.Places, ","), schemas.ShellWord(m.Where), strings.Join(m.Formats, ","), m.Exact)
}

func (c config) build(ctx context.Context, parts []holdings.Part, w *writing) (m manifest, err error) {
	c.options.TempDir = w.spill
	b := linkgraph.NewBuilder(c.options)
	defer func() { err = errors.Join(err, b.Close()) }()
	for _, p := range parts {
		if err := c.add(ctx, p, b); err != nil {
			return m, err
		}
	}
	m = manifest{
		Collections: allAbsolute(c.collections), Places: c.places, Where: c.where, Formats: c.options.Formats,
		Exact: c.options.Exact, Versions: about().Versions, Links: b.Links, Others: b.Others,
	}
	if m.Hosts, m.Domains, err = b.Write(w.create); err != nil {
		return m, err
	}
	return m, w.commit(&m)
}

// add adds the links of a collection, and what it knows of its hosts.
func (c config) add(ctx context.Context, p holdings.Part, b *linkgraph.Builder) (err error) {
	// Without a filter, some columns are read once, for which nobody should wait for an index.
	db, err := contentdb.Open(ctx, p.Folder, contentdb.Options{NoIndex: c.filter == nil})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	keys, err := hostgraph.Keys(ctx, db, c.filter)
	if err != nil {
		return err
	}
	for l, err := range p.Links(ctx) {
		if err != nil {
			return err
		}
		if !slices.Contains(c.places, l.Place) {
			continue
		}
		if keys != nil {
			key := linkindex.Key(l.URL, l.Timestamp)
			if !keys.Has(key) {
				continue
			}
			if year := keys.Year(key, 0); year > 0 {
				l.Timestamp = fmt.Sprintf("%04d", year)
			}
		}
		if err := b.Add(&l); err != nil {
			return err
		}
	}
	// Common Crawl's files have no room for more.
	if slices.Equal(c.options.Formats, []string{linkgraph.FormatText}) {
		return nil
	}
	return hostgraph.Describe(ctx, db, c.filter, b)
}

func summary(out io.Writer, m manifest) error {
	var b strings.Builder
	row := func(name string, n linkgraph.Counts) {
		fmt.Fprintf(&b, "%-12s %s, %s edges; harmonic centrality %s\n", name, cli.FormatCount(int64(n.Vertices)),
			cli.FormatCount(int64(n.Edges)), n.Harmonic)
	}
	fmt.Fprintf(&b, "%-12s %s between hosts, %s others\n", "Links", cli.FormatCount(m.Links), cli.FormatCount(m.Others))
	row("Hosts", m.Hosts)
	row("Domains", m.Domains)
	return cli.Answer(out, cli.AnswerSummary, m, b.String())
}
