package serve

import (
	"github.com/gleaner-web/gleaner/pipelines/server"
	"github.com/gleaner-web/gleaner/pipelines/server/page"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// newPages is here because package server knows pages only as an interface.
func newPages(v *view.Views) server.Pages { return page.Of(v) }
