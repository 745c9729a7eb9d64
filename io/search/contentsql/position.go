package contentsql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"modernc.org/sqlite"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// StatementError is a mistake in a statement, as SQLite describes it. It is an ErrStatement.
type StatementError struct {
	Line, Column int // of the mistake, from 1, in letters; 0 if unknown
	Message      string
}

// Error returns the position and the message.
func (e *StatementError) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Is reports whether target is ErrStatement.
func (e *StatementError) Is(target error) bool { return target == ErrStatement }

// wrapped matches what the driver adds to a message of SQLite: the name of its code before it, and the number after it.
var wrapped = pattern.Lazy(`(?s)^(?:SQL logic error|not an error|[a-z ]+): (.*) \(\d+\)$`)

// messageOf returns the message of SQLite without what the driver adds.
func messageOf(err *sqlite.Error) string {
	text := err.Error()
	if m := wrapped().FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	if strings.HasPrefix(text, "authorization denied") || strings.Contains(text, "not authorized") ||
		strings.HasSuffix(text, " is prohibited") {
		return "not authorized: a statement can only read the tables of the collection"
	}
	return text
}

// mistake describes an error of SQLite with its position.
func mistake(ctx context.Context, conn *sql.Conn, statement string, err *sqlite.Error) *StatementError {
	e := &StatementError{Message: messageOf(err)}
	at := -1
	switch {
	case e.Message == "incomplete input":
		at = len(strings.TrimRightFunc(statement, unicode.IsSpace))
	case nearToken().MatchString(e.Message):
		at = tokenAt(ctx, conn, statement, e.Message, nearToken().FindStringSubmatch(e.Message)[1])
	default:
		at = namedAt(statement, e.Message)
	}
	if at >= 0 {
		before := statement[:at]
		e.Line = 1 + strings.Count(before, "\n")
		e.Column = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	}
	return e
}

// nearToken matches messages of SQLite's parser, which name the token where it stopped.
var nearToken = pattern.Lazy(`(?s)^(?:near|unrecognized token:) "(.*)"`)

// maxTries limits how many places of a token are tried.
const maxTries = 100

// tokenAt returns the offset of the token where the parser stopped, or -1. SQLite does not tell the offset through the
// driver. The parser stops at the first wrong token. So the statement up to that token has the same error. Up to an
// earlier token it is only incomplete.
func tokenAt(ctx context.Context, conn *sql.Conn, statement, message, token string) int {
	for at, try := 0, 0; token != "" && try < maxTries; try++ {
		i := strings.Index(statement[at:], token)
		if i < 0 {
			return -1
		}
		begin := at + i
		at = begin + len(token)
		if isInWord(statement, begin, at) {
			continue
		}
		s, err := conn.PrepareContext(ctx, statement[:at])
		if err == nil {
			_ = s.Close() // it was not run
			continue
		}
		var failed *sqlite.Error
		if errors.As(err, &failed) && messageOf(failed) == message {
			return begin
		}
	}
	return -1
}

// isInWord reports whether a part of a statement is a part of a longer word.
func isInWord(statement string, begin, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(statement[:begin])
	first, _ := utf8.DecodeRuneInString(statement[begin:])
	last, _ := utf8.DecodeLastRuneInString(statement[:end])
	after, _ := utf8.DecodeRuneInString(statement[end:])
	return isWord(before) && isWord(first) || isWord(last) && isWord(after)
}

func isWord(r rune) bool {
	return r == '_' || r == '$' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// aboutName matches messages about a name.
var aboutName = pattern.Lazy(`^(?:no such (?:column|table|function|collation sequence|module): |` +
	`ambiguous column name: |wrong number of arguments to function |misuse of (?:aggregate|window function|aggregate ` +
	`function|window): ?|circular reference: )([^\s(]+)`)

// namedAt returns the offset of the first place of the name that a message is about, or -1.
func namedAt(statement, message string) int {
	m := aboutName().FindStringSubmatch(message)
	if m == nil {
		return -1
	}
	// Texts and comments have no names. Their places are kept.
	bare := opaque().ReplaceAllStringFunc(statement, func(part string) string {
		if strings.ContainsRune("'-/", rune(part[0])) {
			return strings.Repeat(" ", len(part))
		}
		return part
	})
	var parts []string
	for part := range strings.SplitSeq(m[1], ".") {
		parts = append(parts, "[\"`\\[]?"+regexp.QuoteMeta(part)+"[\"`\\]]?")
	}
	name, err := regexp.Compile(`(?i)` + strings.Join(parts, `\s*\.\s*`))
	if err != nil {
		return -1
	}
	for _, at := range name.FindAllStringIndex(bare, -1) {
		if !isInWord(bare, at[0], at[1]) {
			return at[0]
		}
	}
	return -1
}
