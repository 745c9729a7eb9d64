package fileset

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/dataset/filesets"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	core "github.com/gleaner-web/gleaner/transforms/fileset"
	"github.com/gleaner-web/gleaner/transforms/fileset/platform"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
)

const (
	// maxLanding is how much of a body is searched for a dataset, in bytes.
	maxLanding = 8 << 20
	// maxFound limits the requests from one unit of archives: a hundred times those in 50,000 captures of a platform.
	maxFound = 200_000
)

// discovered are requests from captures, by URL, since a page may have been captured often.
type discovered map[string]schemas.FilesetRequest

func (d *discovered) look(c *schemas.Capture) {
	// Some formats, as those of ACHE, have no status.
	if c.Status != 0 && c.Status != 200 || len(*d) >= maxFound || c.RecordType == schemas.TypeRevisit {
		return
	}
	url := core.CleanURL(c.URL)
	r := schemas.FilesetRequest{Type: "dataset", BaseURL: url, Source: "discover", LinkSource: "discover", LinkID: url}
	if core.Check(&r) != nil || !isLanding(c, &r) {
		return
	}
	if *d == nil {
		*d = discovered{}
	}
	(*d)[url] = r
}

// isLanding reports whether a capture is the page of a dataset, and sets the DOI that the page states.
func isLanding(c *schemas.Capture, r *schemas.FilesetRequest) bool {
	html := mimetype.IsHTML(mimetype.Detect(
		c.Body[:min(len(c.Body), 64<<10)], c.MIMEDeclared, c.URL, mimetype.Options{},
	).Type)
	var links []string
	for _, f := range c.Header {
		if strings.EqualFold(f.Name, "Link") {
			links = append(links, f.Value)
		}
	}
	if !html && !core.IsDataset(links) {
		return false
	}
	page := &core.Page{Request: r, URL: r.BaseURL, Links: links}
	if html {
		page.HTML = c.Body
	}
	match := core.IsDataset(links)
	for _, p := range platform.All() {
		match = match || p.Match(page)
	}
	if !match {
		return false
	}
	if biblio := core.ReadBiblio(page.HTML, page.URL); biblio != nil && biblio.DOI != "" {
		r.IDs = map[string]string{"doi": biblio.DOI}
	}
	return true
}

// text returns the requests as JSON lines, sorted by URL.
func (d discovered) text() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, url := range slices.Sorted(maps.Keys(d)) {
		_ = e.Encode(d[url]) // a request always encodes
	}
	return b.Bytes()
}

// mergeFound returns the requests of all parts as JSON lines. For equal URLs it takes the part with the smallest key,
// so that the order of parts makes no difference.
func mergeFound(f folder.Folder, parts []part) ([]byte, error) {
	all := discovered{}
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.Key, b.Key) })
	for _, p := range parts {
		data, err := read(f, foundFile(p.Key))
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(data) {
			var r schemas.FilesetRequest
			if err := json.Unmarshal(line, &r); err != nil {
				return nil, err
			}
			if _, ok := all[r.BaseURL]; !ok {
				all[r.BaseURL] = r
			}
		}
	}
	return all.text(), nil
}

// foundLines yields the discovered requests.
func foundLines(f folder.Folder, name string) iter.Seq2[filesets.Line, error] {
	return func(yield func(filesets.Line, error) bool) {
		r, err := f.Open(name)
		if err != nil {
			yield(filesets.Line{}, err)
			return
		}
		defer func() { _ = r.Close() }() // nothing was written
		in := bufio.NewReaderSize(r, 1<<20)
		for {
			text, err := in.ReadBytes('\n')
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(line(text, place{file: name}, err)) || err != nil {
				return
			}
		}
	}
}

func chain(a, b iter.Seq2[filesets.Line, error]) iter.Seq2[filesets.Line, error] {
	return func(yield func(filesets.Line, error) bool) {
		for _, s := range []iter.Seq2[filesets.Line, error]{a, b} {
			for l, err := range s {
				if !yield(l, err) {
					return
				}
			}
		}
	}
}
