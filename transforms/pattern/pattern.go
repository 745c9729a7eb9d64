// Package pattern has regular expressions that are compiled when they are first used. A package's variables are made
// whenever a program starts, also by programs that use none of them: `gleaner version` compiled 150 expressions.
//
//	var year = pattern.Lazy(`^\d{4}$`)
//	…
//	if year().MatchString(text) {
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns a function that compiles expr in its first call and returns the same expression afterwards. It panics
// if expr has a mistake; TestLazy_everyExpressionCompiles finds those. The function is safe for concurrent use.
func Lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
