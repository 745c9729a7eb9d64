package playback

import (
	"context"

	"github.com/gleaner-web/gleaner/pipelines/export"
	"github.com/gleaner-web/gleaner/pipelines/server/memento"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/transforms/replay"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// These limit the work of counting missing parts.
const (
	maxParts  = 300 // different URLs
	maxSheets = 20
	maxNamed  = 50 // missing parts that the page names
)

// counter collects the parts of a page.
type counter struct {
	p     *Player
	c     *memento.Reading
	kinds map[string]replay.Kind
	list  []string
}

// address notes a URL. It is the function Address of a rewriting whose text is thrown away.
func (n *counter) address(kind replay.Kind, url string) string {
	if kind == replay.Link || len(n.list) >= maxParts {
		return ""
	}
	if _, known := n.kinds[url]; !known {
		n.kinds[url] = kind
		n.list = append(n.list, url)
	}
	// An element that has no address is left out, with the parts that it would have.
	return "/"
}

// count counts the parts of a page that the collections lack.
func (p *Player) count(ctx context.Context, c *memento.Reading, d *view.Replayed) {
	n := &counter{p: p, c: c, kinds: map[string]replay.Kind{}}
	_, notes, err := replay.HTML(export.TextOf(c.Capture), replay.Options{URL: c.Capture.URL, Address: n.address})
	if err != nil {
		return
	}
	d.Scripts, d.Plugins = notes.Scripts, notes.Plugins
	if notes.Refresh != "" {
		d.Refresh = Prefix + c.Time().Format(stamp) + "/" + urlkey.Path(notes.Refresh)
	}
	sheets := 0
	// The list grows while style sheets are read.
	for i := 0; i < len(n.list) && ctx.Err() == nil; i++ {
		url := n.list[i]
		if n.kinds[url] == replay.Style && sheets < maxSheets {
			sheets++
			n.sheet(ctx, url, d)
			continue
		}
		has, err := p.o.Captures.Has(ctx, url)
		if err == nil && !has {
			d.Lacks(url, maxNamed)
		}
	}
	d.Parts, d.More = len(n.list), len(n.list) >= maxParts
}

// sheet reads a style sheet for the parts that it names.
func (n *counter) sheet(ctx context.Context, url string, d *view.Replayed) {
	c, err := n.p.o.Captures.Near(ctx, url, n.c.Time(), fitsOf(replay.Style))
	if err != nil {
		d.Lacks(url, maxNamed)
		return
	}
	if !export.IsRedirect(c.Capture) {
		replay.CSS(export.TextOf(c.Capture), replay.Options{URL: c.Capture.URL, Address: n.address})
	}
}
