//go:build !local

package run

import (
	"fmt"
	"log/slog"
	"path"
	"regexp"
	"strings"
)

// PipelineError is a pipeline that failed. Errors cross processes as text, so that their identity is lost; Message is
// the part of it which the failing function itself wrote.
// Error shows Message; Full is for callers that want the whole chain.
type PipelineError struct {
	Runner  string
	Message string
	Full    error // with the runner's plan and every place that passed it on
}

// Error returns the useful part.
func (e *PipelineError) Error() string { return e.Message }

// Unwrap returns the full error.
func (e *PipelineError) Unwrap() error { return e.Full }

// failsInPrism reports whether the in-process runner itself logs a failure: it is the failure that Pipeline returns.
// Its log would say the same a second time.
func failsInPrism(r slog.Record, function string) bool {
	return r.Level >= slog.LevelError && strings.Contains(function, "/runners/prism/")
}

// maxMessage bounds what is shown of an error, in bytes.
const maxMessage = 4 << 10

// What runners put around an error of ours. Their words are those of Beam
// 2.77: a newer version may need others, and then the text is only longer.
var (
	failedPattern = regexp.MustCompile(`DoFn\[[^\n]*\] failed:(?:\n|\\n)`)
	panicPattern  = regexp.MustCompile(`(?:^|[:\n ])(panic: (?s:.*?))(?: goroutine \d+ \[running\]:|\nFull error:)`)
	framePattern  = regexp.MustCompile(`\npanic\([^\n]*\)\n\t[^\n]*\n([^\n]+)\([^\n]*\n\t([^\n]+:\d+)`)
)

// useful cuts an error of a runner down to what the function that failed said. All of Beam's runners print the plan
// first, and the portable ones a chain of who told whom.
// A panic comes first: its text is inside that of a failed function.
func useful(text string) string {
	if m := panicPattern.FindStringSubmatch(text); m != nil {
		return bound(m[1] + panicPlace(text))
	}
	// The last one is the innermost, whose text is that of our function.
	if all := failedPattern.FindAllStringIndex(text, -1); all != nil {
		return bound(text[all[len(all)-1][1]:])
	}
	const caused = "caused by:\n"
	if i := strings.LastIndex(text, caused); i >= 0 {
		text = text[i+len(caused):]
	}
	return bound(text)
}

// panicPlace is " (function at file:line)" for the function that panicked, as far as the text has a stack.
// The stack's first frame after panic is where it happened.
func panicPlace(text string) string {
	m := framePattern.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return fmt.Sprintf(" (%s at %s)", path.Base(m[1]), path.Base(m[2]))
}

// bound cuts at whole characters.
func bound(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > maxMessage {
		return strings.ToValidUTF8(s[:maxMessage], "") + " …"
	}
	return s
}
