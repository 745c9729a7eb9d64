package job

import (
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
)

// templates is the table that the first pass has made. A nil one, as a run without --site_templates has it, knows no
// host.
type templates struct {
	file  folder.Reader
	table *sitetemplate.Table
}

// openTemplates opens the table, nil when the run has none.
// The hash is empty in the first pass too, which makes the table and does not use it.
func openTemplates(f folder.Folder, o Options) (*templates, error) {
	if o.Templates.SHA256 == "" {
		return nil, nil
	}
	return openTable(f, o)
}

// openTable opens the table whatever the options say of its contents.
func openTable(f folder.Folder, o Options) (*templates, error) {
	file, err := o.table().Open(f)
	if err != nil {
		return nil, err
	}
	// A table of another version, or a damaged one, cannot be mended here; the first pass makes it anew.
	t, err := sitetemplate.OpenTable(file, file.Size())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the table of site templates: %w; start over with --fresh", err), file.Close())
	}
	return &templates{file: file, table: t}, nil
}

// of returns the template of a capture's host.
// Find reads a few bytes of the file, for each capture.
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
