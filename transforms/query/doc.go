// Package query is the query language of collections. It has filters in the grammar of Google's AIP-160 (Filtering),
// queries with such filters, and flags for common questions. File docs/query.md is its manual.
//
//	filter     = [ expression ]
//	expression = sequence { "AND" sequence }          all must hold
//	sequence   = factor { factor }                    side by side: AND
//	factor     = term { "OR" term }                   OR binds tighter than AND
//	term       = [ "NOT" | "-" ] ( restriction | "(" expression ")" )
//	restriction = path operator value                 a test of a field
//	            | path operator "(" values ")"        an expression of values in place of tests
//	            | word | quoted                       a search in text and title
//	operator   = "=" | "!=" | "<" | "<=" | ">" | ">=" | ":"
//
// A filter is parsed once into an Expr. Types are checked then, so matching has no errors. Back ends take the parts
// that they support (Split) and find data that they can skip (SURTs, Compare.Interval, Columns). They test values in
// columns (Compare.Test), and leave the rest to Match. A Plan lists where each part was executed.
//
// Logic has two values. A missing field fits no comparison except !=, which is the negation of =.
//
// It has no joins, sums or changes; `collection` and SQL engines have these.
//
//	e, err := query.Parse(`language = fr AND (mime:pdf OR title:budget)`)
//	if err != nil {
//		return err // column 1: …
//	}
//	takes := query.Compile(e)
//	for _, d := range documents {
//		if takes(d) { … }
//	}
package query

// Version is the version of the meaning of filters. It changes when a filter may accept another document.
const Version = "3"
