// Package token makes the terms of a text, for an index and for the queries that ask it.
package token
