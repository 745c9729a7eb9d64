package corpus

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/child/plug"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/derived/corpora"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/tokenfile"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// openPlug returns the plug of a command, one for the process.
func (o Options) openPlug(command string) (*plug.Plug, error) {
	return plug.Get(command, plug.Options{Processes: cli.Workers(o.Workers), Timeout: o.PlugTimeout})
}

// tools are what filters use on this machine.
func (o Options) tools() (t filter.Tools, err error) {
	t = filter.Tools{
		Now: time.Now,
		Plug: func(command string) (filter.Score, error) {
			p, err := o.openPlug(command)
			if err != nil {
				return filter.Score{}, err
			}
			return filter.Score{Batch: p.Batch(), Set: p.Score}, nil
		},
	}
	if o.TokensFile == "" {
		return t, nil
	}
	f, err := tokenfile.Open(o.TokensFile)
	if err != nil {
		return t, fmt.Errorf("--tokens: %w", err)
	}
	t.Tokens = func(text string) int {
		n, err := f.Count(text)
		if err != nil { // the text takes a pattern too many steps
			return 0
		}
		return n
	}
	return t, nil
}

// describePlug returns what a plug declares, for a recipe.
func (o Options) describePlug(command string) (map[string][]string, error) {
	p, err := o.openPlug(command)
	if err != nil {
		return nil, err
	}
	if name := p.ReadsCapture(); name != "" {
		return nil, fmt.Errorf("plug %q: it reads %s, which documents of a collection do not have: run it in ingest",
			command, name)
	}
	var columns, reads []string
	for _, name := range p.Columns() {
		columns = append(columns, name+":"+string(p.Types()[name]))
	}
	for _, name := range p.Reads {
		if name != "url" && name != "text" {
			reads = append(reads, name)
		}
	}
	return map[string][]string{
		filter.PlugName: {p.Name()}, filter.PlugVersion: {p.Version()},
		filter.PlugColumns: columns, filter.PlugReads: reads,
	}, nil
}

// readColumns sets the columns of rows, once the types of custom columns of the collections are known.
func (c *config) readColumns(manifests []schemas.Manifest) error {
	types := map[string]schemas.ValueType{}
	set := func(name string, t schemas.ValueType) error {
		if had, is := types[name]; is && had != t && slices.ContainsFunc(c.asked.columns, func(path string) bool {
			return strings.TrimSuffix(path, "[]") == query.CustomPlace(schemas.TypeText)+"."+name
		}) {
			return cli.Usagef("--columns: %s has values of types %s and %s", name, had, t)
		}
		types[name] = t
		return nil
	}
	for _, m := range manifests {
		for name, t := range holdings.EachCustomType(m) {
			if err := set(name, t); err != nil {
				return err
			}
		}
	}
	o := &c.options.Corpus
	for _, column := range o.Recipe.PlugColumns("") {
		name, t, _ := strings.Cut(column, ":")
		if err := set(name, schemas.ValueType(t)); err != nil {
			return err
		}
	}
	o.Columns = nil
	for _, path := range c.asked.columns {
		column, err := corpora.NewColumn(path, types)
		if err != nil {
			return cli.Usagef("--columns: %v", err)
		}
		o.Columns = append(o.Columns, column)
	}
	if err := corpora.CheckColumns(o.Columns); err != nil {
		return cli.Usagef("--columns: %v", err)
	}
	return nil
}
