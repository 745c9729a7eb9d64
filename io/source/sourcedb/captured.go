package sourcedb

import (
	"context"
	"encoding/binary"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Captured sets those of links, which are values of source.LinkKey, to true whose pages a generation knows: pages that
// were captured, whatever their status.
func Captured(ctx context.Context, f folder.Folder, m Manifest, links map[uint64]bool) error {
	// All pages are read: a run has no index to look a link up in.
	g := generation{ctx: ctx, f: f}
	// One pass over all pages, in memory that only the links take.
	for r, err := range g.chain(m.Pages) {
		if err != nil {
			return err
		}
		// See linkKey.
		if len(r.key) != 8 {
			return errRun
		}
		link := binary.BigEndian.Uint64(r.key)
		if _, ok := links[link]; ok {
			links[link] = true
		}
	}
	return nil
}
