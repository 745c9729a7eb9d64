//go:build !local

package run

import (
	"fmt"
	"log/slog"
	"path"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// PipelineError is a failed pipeline. Errors cross processes as text and lose their identity. Message is what the
// failing function wrote, and Full has the whole chain.
type PipelineError struct {
	Runner  string
	Message string
	Full    error // with the runner's plan and everything that wrapped it
}

// Error returns Message.
func (e *PipelineError) Error() string { return e.Message }

func (e *PipelineError) Unwrap() error { return e.Full }

// failsInPrism reports whether the in-process runner logs a failure, which Pipeline also returns.
func failsInPrism(r slog.Record, function string) bool {
	return r.Level >= slog.LevelError && strings.Contains(function, "/runners/prism/")
}

// maxMessage limits a shown error, in bytes.
const maxMessage = 4 << 10

// What runners put around our errors, in the words of Beam 2.77. With other words the message is only longer.
var (
	failedPattern = pattern.Lazy(`DoFn\[[^\n]*\] failed:(?:\n|\\n)`)
	panicPattern  = pattern.Lazy(`(?:^|[:\n ])(panic: (?s:.*?))(?: goroutine \d+ \[running\]:|\nFull error:)`)
	framePattern  = pattern.Lazy(`\npanic\([^\n]*\)\n\t[^\n]*\n([^\n]+)\([^\n]*\n\t([^\n]+:\d+)`)
)

// useful reduces a runner's error to the message of the failing function. Beam's runners print the plan first, and
// portable ones a chain of wrappers. Panics come first, because their text is inside that of a failed function.
func useful(text string) string {
	if m := panicPattern().FindStringSubmatch(text); m != nil {
		return bound(m[1] + panicPlace(text))
	}
	// The last match is the innermost.
	if all := failedPattern().FindAllStringIndex(text, -1); all != nil {
		return bound(text[all[len(all)-1][1]:])
	}
	const caused = "caused by:\n"
	if i := strings.LastIndex(text, caused); i >= 0 {
		text = text[i+len(caused):]
	}
	return bound(text)
}

// panicPlace returns " (function at file:line)" for the first frame after panic, or "" without a stack.
func panicPlace(text string) string {
	m := framePattern().FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return fmt.Sprintf(" (%s at %s)", path.Base(m[1]), path.Base(m[2]))
}

// bound truncates at a whole character.
func bound(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > maxMessage {
		return strings.ToValidUTF8(s[:maxMessage], "") + " …"
	}
	return s
}
