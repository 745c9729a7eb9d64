package fetch

import (
	"errors"
	"fmt"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/guard"
)

// Kinds of errors, for errors.Is.
var (
	// For each the caller decides: drop the URL, come back later, or end the run.
	ErrURL         = errors.New("not a URL that is fetched")
	ErrRobots      = errors.New("robots.txt forbids it")
	ErrPrivate     = guard.ErrPrivate
	ErrBudget      = errors.New("the budget is spent")
	ErrWait        = errors.New("the host asks to be left alone")
	ErrUnreachable = errors.New("the server is not reached") // or hangs up, or is silent for too long
	ErrProtocol    = errors.New("the answer is not HTTP")    // or its header is too long
)

// WaitError is an error of the kind ErrWait.
type WaitError struct {
	Host  string
	Until time.Time
}

func (e *WaitError) Error() string {
	// UTC, so that logs of different machines agree.
	return fmt.Sprintf("fetch: %s: %v until %s", e.Host, ErrWait, e.Until.UTC().Format(time.RFC3339))
}

// Is reports whether kind is ErrWait.
func (e *WaitError) Is(kind error) bool { return kind == ErrWait }
