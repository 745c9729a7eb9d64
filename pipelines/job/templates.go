package job

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
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
	// A table of another version, or a damaged one, cannot be mended here; the first pass makes it again.
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

// hostOf is what the pages of one site have in common: the host and port as in the SURT key, so without "www."; ""
// for what is on no host.
func hostOf(url string) string {
	// A SURT is "com,example)/path": what precedes the bracket is the host, with its parts turned round.
	host, _, ok := strings.Cut(urlkey.SURT(url), ")")
	if !ok || len(host) > maxHost {
		return ""
	}
	return host
}

// maxHost bounds the name of a host: 253 bytes as in RFC 1035, a port and a comma.
// Longer ones come only from hostile URLs; they are left out and not cut, which could make two hosts one.
const maxHost = 260

// table is where the hosts' templates are.
// It is opened by each worker and read host by host, so its size costs no memory.
func (o Options) table() collection.Interim {
	return collection.Interim{Kind: collection.KindTemplates, Key: o.TemplatesKey}
}
