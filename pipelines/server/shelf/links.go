package shelf

import (
	"context"
	"log/slog"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/linkindex"
)

// links brings the index of links up to date, once for each manifest. It comes last, since searches need it not.
func (c *Collection) links(ctx context.Context) {
	if c.o.NoIndex {
		return
	}
	now, release, ok := c.Hold()
	if !ok {
		return
	}
	defer release()
	if now.ID != "" && now.ID == c.linked {
		return
	}
	if _, err := contentdb.UpdateLinks(ctx, c.f, now.Part, false); err != nil {
		if ctx.Err() == nil {
			slog.Warn("index the links of a collection", "collection", c.name, "error", err)
		}
		return // the next look tries again
	}
	c.linked = now.ID
	if err := now.DB.KeepMeaning(ctx); err != nil && ctx.Err() == nil {
		slog.Warn("index the meanings of a collection", "collection", c.name, "error", err)
	}
}

// linksKey is the key of the index of links in the memo of a snapshot.
const linksKey = "links"

// Links returns the index of the collection's links, which is open as long as the snapshot. It returns
// contentdb.ErrNotThere if there are no links, and linkindex.ErrStale until the index is made. The index knows no
// limits of readers: callers leave out captures that a reader may not see.
func (s *Snapshot) Links() (*linkindex.Index, error) {
	s = s.Whole()
	return Once(s, linksKey, func() (*linkindex.Index, error) { return contentdb.OpenLinks(s.DB.Folder(), s.Part) })
}
