package server

import (
	"net/http"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// save handles the forms of saved searches. rest is the form's path after /saved/.
func (s *server) save(w http.ResponseWriter, r *http.Request, rest string) {
	id, deed, _ := strings.Cut(rest, "/")
	name := strings.TrimSpace(r.PostFormValue("name"))
	var err error
	switch {
	case rest == "new":
		_, err = s.o.Views.Save(r.Context(), view.SaveRequest{
			Name: name, Collection: r.PostFormValue("collection"), Query: r.PostFormValue("query"),
		})
	case deed == "rename":
		_, err = s.o.Views.Rename(r.Context(), id, name)
	case deed == "seen":
		_, err = s.o.Views.Seen(r.Context(), view.SavedOneRequest{ID: id})
	case deed == "delete":
		_, err = s.o.Views.Unsave(r.Context(), view.SavedOneRequest{ID: id})
	default:
		s.nothing(w, r)
		return
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	http.Redirect(w, r, view.SavedPath, http.StatusSeeOther)
}

// isFeed reports whether a path is the feed of a saved search. Only there a token in the URL counts: programs that read
// feeds send no header.
func isFeed(path string) bool {
	return strings.HasPrefix(path, view.SavedPath+"/") && strings.HasSuffix(path, "/feed.atom")
}
