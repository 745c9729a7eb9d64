// Package server is the HTTP server of pages and of the REST API: routes, and what precedes them all. What is
// shown is made by package view; api, cdxserver, memento and wasapi give it their forms, page makes the HTML.
//
//	h := server.New(server.Options{Views: views, Pages: pages, Open: true})
//	err := server.Serve(ctx, listener, h, nil)
//
// What a request goes through, from outside to inside: it is logged, without its query, which may hold what somebody
// searches for; its Host and Origin are checked, so that a page of another site cannot ask a server on loopback by a
// name that it has pointed there (DNS rebinding); who asks is found out; how often they ask is limited; answers are
// compressed, and not sent again to callers that have them (ETag).
package server
