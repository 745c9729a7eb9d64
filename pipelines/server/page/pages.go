package page

import (
	"log/slog"
	"net/http"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// Of serves the pages of all views.
func Of(v *view.Views) *Pages {
	// Each page is one line: the view makes the data, and its type selects the template.
	p := New(v.Frame)
	// {$} matches only the root. Without it this pattern would match all paths, and none would be left for
	// collections.
	p.others.HandleFunc("GET /{$}", p.start(v))
	p.collections.HandleFunc("GET /{collection}/html", p.archived(v))
	// Paths below a collection's name and paths of the server use different muxes: see Pages.
	Get(p, "/{collection}", v.Overview)
	p.collections.HandleFunc("GET /{collection}/search", p.search(v))
	Get(p, "/{collection}/resource", v.Resource)
	Get(p, "/{collection}/values", v.Values)
	Get(p, "/{collection}/trends", v.Trends)
	Get(p, "/{collection}/images", v.Images)
	p.collections.HandleFunc("GET /{collection}/thumbnail", p.thumbnail(v))
	Get(p, "/{collection}/graph", v.Graph)
	Get(p, "/{collection}/links", v.Links)
	p.collections.HandleFunc("GET /{collection}/sql", p.sql(v))
	p.collections.HandleFunc("GET /{collection}/take", p.take(v))
	Get(p, "/{collection}/hosts", v.Hosts)
	Get(p, "/{collection}/hosts/{host}", v.Host)
	Get(p, "/{collection}/entities", v.Entities)
	Get(p, "/{collection}/archives", v.Archives)
	Get(p, "/{collection}/runs", v.Runs)
	Get(p, "/{collection}/runs/{number}", v.Run)
	// From here on, the paths begin with our own words: they belong to the server, and not to a collection.
	Get(p, view.HelpPath, v.Help)
	Get(p, view.AcrossPath, v.Across)
	Get(p, "/sources", v.Sources)
	Get(p, "/sources/{id}", v.Source)
	Get(p, "/datasets", v.Datasets)
	p.feedOf = v.FeedOf
	Get(p, view.SavedPath, v.Saved)
	p.others.HandleFunc("GET "+view.SavedPath+"/{id}", p.visit(v))
	p.others.HandleFunc("GET "+view.SavedPath+"/{id}/feed.atom", p.feed(v, baseOf))
	Get(p, "/jobs", v.Jobs)
	Get(p, "/jobs/new", v.Form)
	Get(p, "/jobs/{number}", v.Job)
	return p
}

// thumbnail answers with a small form of an image. It was made of pixels alone, and its headers say that nothing in it
// may run.
func (p *Pages) thumbnail(v *view.Views) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var request view.PlaceRequest
		if err := decode(r, &request); err != nil {
			p.fail(w, r, err)
			return
		}
		data, err := v.Thumbnail(r.Context(), request)
		if err != nil {
			p.fail(w, r, err)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "image/jpeg")
		h.Set("Content-Security-Policy", ThumbnailPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Referrer-Policy", "no-referrer")
		// Browsers ask again each time, so that a takedown has an effect at once.
		h.Set("Cache-Control", "private, no-cache")
		_, _ = w.Write(data) // the client may have left
	}
}

// start redirects to the only collection, or lists the collections.
func (p *Pages) start(v *view.Views) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		// The view checks the role, so that the start page tells strangers nothing.
		list, err := v.Collections(r.Context(), view.CollectionsRequest{})
		switch {
		case err != nil:
			p.fail(w, r, err)
		// It is 303 and not 301, which browsers keep: a second collection may be added tomorrow.
		case len(list.Collections) == 1:
			http.Redirect(w, r, list.Collections[0].Link, http.StatusSeeOther)
		default:
			p.Write(w, r, http.StatusOK, list)
		}
	}
}

// search answers a search, or leads to the page that is meant by a URL or a host.
func (p *Pages) search(v *view.Views) http.HandlerFunc {
	answer := handler(p, v.Search)
	return func(w http.ResponseWriter, r *http.Request) {
		var request view.SearchRequest
		if err := decode(r, &request); err == nil {
			if link, err := v.Lead(r.Context(), request); err == nil && link != "" {
				http.Redirect(w, r, link, http.StatusSeeOther)
				return
			}
		}
		answer(w, r) // also where the request is wrong, which it says
	}
}

// archived answers with the sanitised HTML of a capture, for a frame.
func (p *Pages) archived(v *view.Views) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		// Get is not used, since it would put our page around the data; this is a separate document.
		var request view.PlaceRequest
		// The rules are those of pages made by Get.
		if err := decode(r, &request); err != nil {
			p.fail(w, r, err)
			return
		}
		// Archived markup never becomes part of our pages; it is always a separate answer.
		markup, language, err := v.HTML(r.Context(), request)
		if err != nil {
			p.fail(w, r, err)
			return
		}
		// The header was already sent, so an error cannot become a page any more.
		if err := Sandboxed(w, language, markup); err != nil {
			slog.Debug("a frame was not read to its end", "error", err)
		}
	}
}
