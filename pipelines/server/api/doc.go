// Package api is the REST API of the server: the functions of package view over HTTP, as JSON. Parameter checks and
// OpenAPI 3.1 are generated from the structs of package view, so both always match the functions. Errors are problem
// details (RFC 9457) with advice.
//
//	handler := api.New(views, api.Options{})
//
// It answers /api/v1/… and /openapi.json. Package server puts a view.Actor into the context, and views check its
// permissions.
package api
