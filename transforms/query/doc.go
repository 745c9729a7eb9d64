// Package query is the language in which collections are asked: filters in the grammar of AIP-160, and the questions
// that they stand in.
package query
