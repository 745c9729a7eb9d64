package pagemeta

import "strings"

// soleDate is the date that a page shows far from its title, when it is the only one: where a label or the name of its
// element says that it is a date of publication, or where the page is a thread, whose first post it is of. It goes
// over the whole page, so it is asked last.
func (f *finder) soleDate() answer {
	// Without a title: nothing is apart from an article then, and distances count from the page's
	// beginning.
	w := walk{p: f.p, limit: maxSolePieces}
	for b := range f.p.Blocks {
		// Long blocks are prose, in which dates are of other things.
		if block := &f.p.Blocks[b]; int(block.End-block.Start) <= longPiece {
			w.block(b)
		}
	}
	var s shown
	s.look(w.pieces, f.locale)
	switch {
	case s.published == nil || !f.past(s.published):
		return answer{}
	// The only date, and something says that it is one; or any first date of a thread.
	case s.others == 0 && (s.labelled || s.byline || s.hinted && f.article()), f.isThread():
	default:
		return answer{}
	}
	if _, ok := f.sameDay(declaredModified, s.published.Day()); ok {
		return answer{} // the page shows when it was changed
	}
	return answer{fromText, []string{s.published.String()}, soleDate}
}

// maxSolePieces bounds the pieces of text that the only date is looked for in.
const maxSolePieces = 2000

// threadNames are the words in URLs by which programs for forums call a thread.
var threadNames = []string{"viewtopic", "showthread", "thread", "/t/", "/comments/"}

// isThread tells whether the page's URL is one of a thread in a forum. Such URLs are made by the program, so they can
// be relied on.
func (f *finder) isThread() bool {
	_, path, _ := strings.Cut(strings.ToLower(f.p.URL), "//")
	_, path, _ = strings.Cut(path, "/")
	for _, name := range threadNames {
		if strings.Contains("/"+path, name) {
			return true
		}
	}
	return false
}
