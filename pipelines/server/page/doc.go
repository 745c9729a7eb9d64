// Package page writes the views of package view as pages of HTML, and has the files that these need: one style sheet,
// a script for keys, and htmx, all of them embedded. It asks nothing itself, and what it writes has no word that is
// not in the view's data: the same data is the API's answer.
//
//	pages, err := page.New(views.Frame)
//	page.Get(pages, "/{collection}/search", views.Search) // parameters by view.Decode
//	mux.Handle("/", pages)
//
// All pages work without scripts: they are links and forms. htmx swaps the content of a search and of a job under way
// in place, with the same requests that the links would make. There is no other chart library: charts are SVG that the
// server draws (package look), since nothing here has so many points that one has to zoom, which is what a library
// would be for.
//
// Archived words are text, escaped like all others, in elements with the class arch that have their language and
// direction. No archived markup is on these pages: the frame that shows it is a response of its own (see Sandboxed),
// with a policy by which nothing runs and nothing is fetched.
package page
