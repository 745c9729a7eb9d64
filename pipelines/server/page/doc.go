// Package page writes the views of package view as HTML pages. It contains the files that these need: one style sheet,
// a script for keys, and htmx, all of them embedded. It runs no queries, and pages show only the view's data, which is
// also the API's answer.
//
//	pages, err := page.New(views.Frame)
//	page.Get(pages, "/{collection}/search", views.Search) // parameters by view.Decode
//	mux.Handle("/", pages)
//
// All pages work without scripts: they consist of links and forms. The script htmx replaces the content of a search,
// and of a running job, with the same requests that the links would make. Charts are SVG that the server draws
// (package look). A library would be useful for zooming, but no chart here has enough points for that.
//
// Archived text is escaped like all other text. It is in elements with the class arch, which have its language and
// direction. These pages contain no archived markup. The frame that shows it is a separate response (see Sandboxed),
// with a policy that lets nothing run and nothing be loaded.
package page
