package contentsql

import (
	"fmt"
	"regexp"
	"strings"
)

// opaque are the parts of a statement in which nothing is SQL: texts, names in quotation marks, comments
// (https://sqlite.org/lang_expr.html#literal_values_constants_, lang_keywords.html, lang_comment.html). What is not
// closed goes to the end, where SQLite finds the mistake.
var opaque = regexp.MustCompile(`(?s)'[^']*('|$)|"[^"]*("|$)|` + "`[^`]*(`|$)" +
	`|\[[^\]]*(\]|$)|--[^\n]*|/\*.*?(\*/|$)`)

// single reports whether there is one statement: the driver would run several, and answer the last.
func single(statement string) error {
	bare := opaque.ReplaceAllStringFunc(statement, func(part string) string {
		if strings.HasPrefix(part, "--") || strings.HasPrefix(part, "/*") {
			return " "
		}
		return "x" // something, so that it counts as a statement
	})
	statements := 0
	for part := range strings.SplitSeq(bare, ";") {
		if strings.TrimSpace(part) != "" {
			statements++
		}
	}
	if statements != 1 {
		return fmt.Errorf("%w: %d statements, and there is one answer", ErrStatement, statements)
	}
	if strings.ContainsRune(statement, 0) { // SQLite would end there
		return fmt.Errorf("%w: it has a zero byte", ErrStatement)
	}
	return nil
}

var collation = regexp.MustCompile(`(?i)\bcollate\b`)

// collates reports whether a statement may compare texts in another way than byte by byte. A virtual table is not told.
func collates(statement string) bool {
	return collation.MatchString(opaque.ReplaceAllString(statement, " "))
}
