package statement

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Kind is why a statement has no complete answer.
type Kind int

// The kinds of failures.
const (
	Mistake Kind = iota + 1 // the statement is refused
	Late                    // Question.Time is over
	Large                   // it needs more than Options.Memory, or a temporary file of more than Options.Disk
	Broken                  // the collection could not be read
)

// Failure is why a statement has no complete answer.
type Failure struct {
	Kind         Kind
	Line, Column int    // of a mistake, from 1; 0 if unknown
	Message      string // of the command
}

// Error returns the message.
func (f *Failure) Error() string {
	switch f.Kind {
	case Late:
		return "statement: interrupted: " + f.Message
	case Large:
		return "statement: it is too large: " + f.Message
	case Mistake:
		if f.Line > 0 {
			return fmt.Sprintf("statement: line %d, column %d: %s", f.Line, f.Column, f.Message)
		}
	}
	return "statement: " + f.Message
}

// largeMarks are texts of Go's runtime, of SQLite and of the system, in the output of the command. To SQLite, a
// temporary file that cannot grow is a lack of memory.
var largeMarks = []string{
	"out of memory", "cannot allocate memory", "failed to create new OS thread", "file size limit exceeded",
	"file too large", "disk is full", "no space left",
}

// refused matches the error of the command for a mistake, after its name.
var refused = pattern.Lazy(`(?s)--sql: (?:contentsql: the statement is refused: )*` +
	`(?:line (\d+), column (\d+): )?(.*)`)

// maxMessage is the greatest length of the message of a mistake, in characters.
const maxMessage = 500

// cut returns the beginning of a long message.
func cut(message string) string {
	if letters := []rune(message); len(letters) > maxMessage {
		return string(letters[:maxMessage]) + "…"
	}
	return message
}

// failure reads why the process has failed.
func (c *child) failure() *Failure {
	if errors.Is(c.cause(), errLate) {
		return &Failure{Kind: Late, Message: fmt.Sprintf("after %s", c.limit)}
	}
	text := strings.TrimSpace(string(c.stderr))
	text, _, _ = strings.Cut(text, "\nTry: ")
	if i := strings.LastIndex("\n"+text, "\nquery: "); i >= 0 {
		text = text[i+len("query: "):]
	}
	m := refused().FindStringSubmatch(text)
	if m == nil {
		// A killed process writes nothing: the system had no memory.
		large := !c.cmd.ProcessState.Exited() || slices.ContainsFunc(largeMarks, func(mark string) bool {
			return strings.Contains(text, mark)
		})
		if large {
			return &Failure{Kind: Large, Message: text}
		}
		return &Failure{Kind: Broken, Message: text}
	}
	f := &Failure{Kind: Mistake, Message: cut(m[3])}
	f.Line, _ = strconv.Atoi(m[1]) // 0 without a position
	f.Column, _ = strconv.Atoi(m[2])
	return f
}
