// Package server is the HTTP server of pages and of the REST API: routes, and common steps before them. Package view
// makes the content. Packages api, cdxserver, memento and wasapi convert it to their formats, and page makes the HTML.
//
//	h := server.New(server.Options{Views: views, Pages: pages, Open: true})
//	err := server.Serve(ctx, listener, h, nil)
//
// A request passes these steps, from outside to inside:
//
//   - It is logged, without its query, which may hold somebody's search.
//   - Its Host and Origin are checked. So a page of another site cannot access a server on loopback by a name that
//     it has pointed there (DNS rebinding).
//   - The user is identified, and the rate of requests is limited.
//   - Answers are compressed, and not sent again to clients that have them (ETag).
//
// Its subpackages are, from the lowest level up:
//
//	account                   users, sessions, tokens, limits on guessing, the audit log
//	form jobs                 forms made of flags; the processes of jobs, one after the other
//	shelf                     open collections, watched
//	statement                 SQL in child processes
//	view                      the data of pages and API, without any format
//	page api                  views as HTML; views as JSON, exports and feeds
//	cdxserver memento wasapi  protocols of tools for web archives
//	mcp                       the Model Context Protocol, for assistants
//	playback                  archived pages as they looked
//
// Of pipelines, these packages may import the floors below (cli, look, export …). Only command imports them.
package server
