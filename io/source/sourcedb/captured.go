package sourcedb

import (
	"context"
	"encoding/binary"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// Captured sets a link, a value of source.LinkKey, to true if its page was captured, whatever the status. A redirect to
// another form of the same URL is not enough.
func Captured(ctx context.Context, f folder.Folder, m Manifest, links map[uint64]bool) error {
	// All pages are read, because there is no index of links.
	g := generation{ctx: ctx, f: f}
	// One pass, which only needs memory for the links.
	for r, err := range g.chain(m.Pages) {
		if err != nil {
			return err
		}
		if len(r.key) != 8 {
			return errRun
		}
		link := binary.BigEndian.Uint64(r.key)
		if captured, ok := links[link]; !ok || captured {
			continue
		}
		moved, err := source.IsFormMove(r.value)
		if err != nil {
			return err
		}
		links[link] = !moved
	}
	return nil
}
