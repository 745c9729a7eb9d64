package sourcedb

import (
	"context"
	"encoding/binary"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Captured sets those of links, values of source.LinkKey, to true whose pages were captured, whatever their status.
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
		if _, ok := links[link]; ok {
			links[link] = true
		}
	}
	return nil
}
