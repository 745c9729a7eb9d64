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
package server
