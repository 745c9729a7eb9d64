// Package mcp answers assistants by the Model Context Protocol: tools, resources and prompts about the collections of
// a server. It uses the official Go SDK for the protocol, and package view for the content. So access rules, takedowns
// and counts are those of the pages and of the REST API.
//
//	s := mcp.New(views, mcp.Options{Version: "1.0"})
//	err := s.Serve(ctx, os.Stdin, os.Stdout)              // one assistant on this machine
//	handler := s.Handler(mcp.HandlerOptions{Base: api.Base}) // POST /mcp, each request with its own user
//
// Text of archives is hostile: a page may be written to give orders to an assistant. So an answer has two parts. The
// first is ours. The second has everything archived (URLs, titles, text) between two lines with a random key, which is
// new for each answer. Characters that no reader sees are removed: see package unseen for the text that a page hides.
//
// An answer is bounded in rows and bytes. It names its gaps, and has a cursor to continue.
package mcp
