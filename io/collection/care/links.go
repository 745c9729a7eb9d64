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

// copyData copies the remaining rows of structured data to w, and subtracts the others from counts.
func (t *removal) copyData(w *shard.Writer, p holdings.Part, counts *schemas.Counts) error {
	var page []schemas.Datum
	for row, err := range p.Data(t.ctx) {
		if err != nil {
			return err
		}
		if t.goneData(&row) {
			counts.Data = max(0, counts.Data-1)
			continue
		}
		if len(page) > 0 && (page[0].URL != row.URL || page[0].Timestamp != row.Timestamp) {
			if err := w.Data(page); err != nil {
				return err
			}
			page = page[:0]
		}
		page = append(page, row)
	}
	return w.Data(page)
}
