package contentsql

import (
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// opaque matches parts of a statement that contain no SQL: texts, quoted names and comments
// (https://sqlite.org/lang_expr.html#literal_values_constants_, lang_keywords.html, lang_comment.html). Unclosed parts
// reach to the end, where SQLite finds the mistake.
var opaque = pattern.Lazy(`(?s)'[^']*('|$)|"[^"]*("|$)|` + "`[^`]*(`|$)" +
	`|\[[^\]]*(\]|$)|--[^\n]*|/\*.*?(\*/|$)`)

// single returns an error unless there is exactly one statement: the driver would run several and answer the last.
func single(statement string) error {
	bare := opaque().ReplaceAllStringFunc(statement, func(part string) string {
		if strings.HasPrefix(part, "--") || strings.HasPrefix(part, "/*") {
			return " "
		}
		return "x" // so that it counts as a statement
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

var collation = pattern.Lazy(`(?i)\bcollate\b`)

// collates reports whether a statement may compare texts other than bytewise. SQLite does not tell that to virtual
// tables.
func collates(statement string) bool {
	return collation().MatchString(opaque().ReplaceAllString(statement, " "))
}
