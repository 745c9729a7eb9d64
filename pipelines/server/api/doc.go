// Package api is the REST API of the server: the functions of package view over HTTP, as JSON. Parameters are checked,
// and OpenAPI 3.1 is made, from the structs of package view, so that neither can differ from what is done. Errors are
// problem details (RFC 9457) that say what to do.
//
//	handler := api.New(views, api.Options{})
//
// It answers /api/v1/… and /openapi.json. Who may ask is for package server to decide, which puts a view.Actor into the
// context, and for views, which look at it.
package api
