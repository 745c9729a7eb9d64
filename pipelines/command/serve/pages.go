package serve

import (
	"net/http"

	"github.com/gleaner-web/gleaner/pipelines/server"
	"github.com/gleaner-web/gleaner/pipelines/server/page"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// pages are those of package page, as the server asks for them.
type pages struct{ *page.Pages }

// newPages makes the pages.
func newPages(v *view.Views) server.Pages { return pages{page.Of(v)} }

// Login is the form to log in.
func (p pages) Login(w http.ResponseWriter, r *http.Request, status int, name, next, wrong string) {
	p.Write(w, r, status, page.Login{Error: wrong, Name: name, Next: next})
}
