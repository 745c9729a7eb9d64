package enrich

import (
	"github.com/gleaner-web/gleaner/transforms/pageimage"
	"github.com/gleaner-web/gleaner/transforms/picture"
)

// setImages describes a capture that is an image, or lists the images of a page.
func (w *work) setImages() {
	if p := w.html(); p != nil {
		w.d.Images = pageimage.Of(p)
		return
	}
	if len(w.c.Body) == 0 || !picture.Known(w.mimeType().Type) {
		return
	}
	info, err := w.e.pictures(w.mimeType().Type, w.c.Body, w.e.picture)
	w.d.Image = info
	if err != nil {
		w.fail("images", picture.KindOf(err), err.Error())
	}
}
