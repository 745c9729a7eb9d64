package page

import "github.com/gleaner-web/gleaner/pipelines/server/view"

// Of serves the pages of all views.
func Of(v *view.Views) *Pages {
	p := New(v.Frame)
	Get(p, "/{collection}", v.Overview)
	Get(p, "/{collection}/search", v.Search)
	Get(p, "/{collection}/resource", v.Resource)
	Get(p, "/{collection}/hosts", v.Hosts)
	Get(p, "/{collection}/hosts/{host}", v.Host)
	Get(p, "/{collection}/runs", v.Runs)
	Get(p, "/{collection}/runs/{number}", v.Run)
	return p
}
