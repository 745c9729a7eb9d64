package enrich

import (
	"fmt"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pageimage"
	"github.com/gleaner-web/gleaner/transforms/picture"
)

// setImages describes a capture that is an image, or lists the images of a page.
func (w *work) setImages() {
	if p := w.html(); p != nil {
		var left pageimage.Left
		w.d.Images, left = pageimage.Of(p)
		if left.Images > 0 {
			message := fmt.Sprintf("%d images are left out, beyond %d that are listed", left.Images, len(w.d.Images))
			w.fail("images", schemas.KindLimit, message)
		}
		if left.NoScripts > 0 {
			w.fail("images", schemas.KindLimit, fmt.Sprintf("%d <noscript> elements are not read", left.NoScripts))
		}
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
