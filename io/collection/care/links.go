package care

import (
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/schemas"
)

// copyLinks copies the remaining links to w, and subtracts the others from counts.
func (t *removal) copyLinks(w *shard.Writer, p holdings.Part, counts *schemas.Counts) error {
	// The links of one capture are written at a time.
	var page []schemas.Link
	for l, err := range p.Links(t.ctx) {
		if err != nil {
			return err
		}
		if t.gone(&l) {
			counts.Links = max(0, counts.Links-1)
			continue
		}
		if len(page) > 0 && (page[0].URL != l.URL || page[0].Timestamp != l.Timestamp) {
			if err := w.Links(page); err != nil {
				return err
			}
			page = page[:0]
		}
		page = append(page, l)
	}
	return w.Links(page)
}
