package corpora

import (
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
)

const (
	// maxWindow bounds the pages that are judged together, in bytes of text and HTML. One page may be longer.
	maxWindow = 4 << 20
	// keptText is the longest text for which a page keeps its memory: there may be 1,024 pages.
	keptText = 16 << 10
)

// collect queues a document. Plugs work on many at once.
func (w *signer) collect(d *schemas.Document) error {
	// Images, redirects and revisits have no text.
	if d.Text == "" {
		return nil
	}
	size := len(d.Text) + len(d.MainHTML)
	if w.waiting == w.chain.Batch() || w.bytes+size > maxWindow {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if w.waiting == len(w.window) {
		w.window = append(w.window, &filter.Page{Count: w.s.Tools.Tokens})
	}
	w.window[w.waiting].Reset(d)
	w.waiting++
	w.bytes += size
	return nil
}

// flush judges and writes the queued documents.
func (w *signer) flush() error {
	pages := w.window[:w.waiting]
	reasons := make([]string, len(pages))
	var left []*filter.Page
	for i, p := range pages {
		if reasons[i] = w.share(p); reasons[i] == "" {
			left = append(left, p)
		}
	}
	judged := w.chain.JudgeAll(left)
	for i, p := range pages {
		if reasons[i] == "" {
			reasons[i], judged = judged[0], judged[1:]
		}
		if err := w.add(p, reasons[i]); err != nil {
			return err
		}
		if len(p.Doc.Text) > keptText && len(w.window) > 1 {
			*p = filter.Page{Count: p.Count}
		}
		p.Doc = nil // the page waits for another document
	}
	w.waiting, w.bytes = 0, 0
	return nil
}
