package unit

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/interim"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// templates is the table of the first pass. A nil one, as without --site_templates, has no hosts.
type templates struct {
	file  folder.Reader
	table *sitetemplate.Table
}

// openTemplates opens the table. It returns nil without one, and in the first pass, which makes it.
func openTemplates(f folder.Folder, o Job) (*templates, error) {
	if o.Templates.SHA256 == "" {
		return nil, nil
	}
	return openTable(f, o)
}

// openTable opens the table even if the options do not describe it yet.
func openTable(f folder.Folder, o Job) (*templates, error) {
	file, err := o.Table().Open(f)
	if err != nil {
		return nil, err
	}
	// Only a new first pass can replace a damaged table or one of another version.
	t, err := sitetemplate.OpenTable(file, file.Size())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the table of site templates: %w; start over with --fresh", err), file.Close())
	}
	return &templates{file: file, table: t}, nil
}

// of returns the template of a capture's host. It reads a few bytes of the file for each capture.
func (t *templates) of(c *schemas.Capture) (sitetemplate.Template, error) {
	if t == nil {
		return nil, nil
	}
	return t.table.Find(hostOf(c.URL))
}

func (t *templates) Close() error {
	if t == nil {
		return nil
	}
	return t.file.Close()
}

// hostOf returns the host and port of a URL as in its SURT, so without "www.", or "" if it has none.
func hostOf(url string) string {
	// A SURT is "com,example)/path": the reversed host comes before the bracket.
	host, _, ok := strings.Cut(urlkey.SURT(url), ")")
	if !ok || len(host) > maxHost {
		return ""
	}
	return host
}

// maxHost bounds the host: 253 bytes as in RFC 1035, a port and a comma. Longer ones come only from hostile URLs.
// They are left out, because truncated ones could be equal.
const maxHost = 260

// Table is the file of the hosts' templates. Workers look up single hosts in it, so its size costs no memory.
func (o Job) Table() interim.File {
	return interim.File{Kind: interim.Templates, Key: o.TableKey}
}

// Describe returns the table's number of hosts, for the manifest, and its hash, for the units' keys.
func Describe(f folder.Folder, o Job) (d schemas.SiteTemplates, err error) {
	t, err := openTable(f, o)
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(t.file, 0, t.file.Size())); err != nil {
		return d, err
	}
	return schemas.SiteTemplates{Hosts: t.table.Hosts(), SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}
