// Package query is the language in which collections are asked: filters in the grammar of Google's AIP-160 (Filtering),
// the queries that they are in, and the flags that people ask common questions by. docs/query.md is its manual.
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
// A filter is parsed once into an Expr, whose types are checked then: so matching has no errors. Back ends take from it
// what they can do (Split), find what they can skip (SURTs, Compare.Interval, Columns), test values that they hold in
// columns (Compare.Test), and leave the rest to Match. A Plan tells what was done where.
//
// Logic has two values. A field that a document does not have fits no comparison but !=, which is the contrary of =.
//
// What it is not: a language for joins, sums or changes; `collection` and SQL engines have these.
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

// Version is the version of what filters mean: it changes when one may take another document.
const Version = "1"
