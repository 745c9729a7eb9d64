package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
)

// templates is the table that the first pass has made. A nil one, as a run without --site_templates has it, knows no
// host.
type templates struct {
	file  *os.File
	table *sitetemplate.Table
}

// openTemplates opens the table, nil when the run has none.
func openTemplates(o Options) (*templates, error) {
	if o.Templates.SHA256 == "" {
		return nil, nil
	}
	return openTable(o)
}

func openTable(o Options) (*templates, error) {
	f, err := o.table().Open(o.Output)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	t, err := sitetemplate.OpenTable(f, info.Size())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w; start over with --fresh", f.Name(), err), f.Close())
	}
	return &templates{file: f, table: t}, nil
}

// of returns the template of a capture's host.
func (t *templates) of(c *schemas.Capture) (sitetemplate.Template, error) {
	if t == nil {
		return nil, nil
	}
	return t.table.Find(hostOf(c.URL))
}

// Close closes the table's file.
func (t *templates) Close() error {
	if t == nil {
		return nil
	}
	return t.file.Close()
}
