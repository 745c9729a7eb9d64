package page

import (
	"log/slog"
	"net/http"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// Of serves the pages of all views.
func Of(v *view.Views) *Pages {
	// One line for each page: the view makes the data, and its type chooses the template.
	p := New(v.Frame)
	// {$} matches the root alone: without it this pattern would take all paths, and none would be left
	// for collections.
	p.others.HandleFunc("GET /{$}", p.start(v))
	p.collections.HandleFunc("GET /{collection}/html", p.archived(v))
	// The paths below a collection's name and those of the server go to different muxes: see Pages.
	Get(p, "/{collection}", v.Overview)
	Get(p, "/{collection}/search", v.Search)
	Get(p, "/{collection}/resource", v.Resource)
	Get(p, "/{collection}/hosts", v.Hosts)
	Get(p, "/{collection}/hosts/{host}", v.Host)
	Get(p, "/{collection}/entities", v.Entities)
	Get(p, "/{collection}/runs", v.Runs)
	Get(p, "/{collection}/runs/{number}", v.Run)
	// From here on words of ours: what is of the server, and of no collection.
	Get(p, "/sources", v.Sources)
	Get(p, "/sources/{id}", v.Source)
	Get(p, "/datasets", v.Datasets)
	Get(p, "/jobs", v.Jobs)
	Get(p, "/jobs/new", v.Form)
	Get(p, "/jobs/{number}", v.Job)
	return p
}

// start leads to the only collection, or lists them.
func (p *Pages) start(v *view.Views) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		// The view asks for the role, so that the start tells strangers nothing.
		list, err := v.Collections(r.Context(), view.CollectionsRequest{})
		switch {
		case err != nil:
			p.fail(w, r, err)
		// 303 and not 301, which browsers keep: a second collection may be added tomorrow.
		case len(list.Collections) == 1:
			http.Redirect(w, r, list.Collections[0].Link, http.StatusSeeOther)
		default:
			p.Write(w, r, http.StatusOK, list)
		}
	}
}

// archived answers with the sanitised HTML of a capture, for a frame.
func (p *Pages) archived(v *view.Views) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		// Not by Get, whose answer is a page of ours around the data: this is a document of its own.
		var request view.PlaceRequest
		// By the same rules as for pages made by Get.
		if err := decode(r, &request); err != nil {
			p.fail(w, r, err)
			return
		}
		// Markup of an archive never becomes part of a page of ours: it is an answer by itself.
		markup, language, err := v.HTML(r.Context(), request)
		if err != nil {
			p.fail(w, r, err)
			return
		}
		// The head is sent by now, so that an error cannot become a page any more.
		if err := Sandboxed(w, language, markup); err != nil {
			slog.Debug("a frame was not read to its end", "error", err)
		}
	}
}
