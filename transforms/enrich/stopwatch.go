package enrich

import "time"

// stage is what time is told apart by: an extractor, or work that several of them need. It is an index of
// Stopwatch.spent and of stageNames.
type stage int

const (
	stageMIME stage = iota
	stageCharset
	stageText
	stageLanguage
	stageMetadata
	stageEntities
	stageFeeds
	stageLinks
	stageNeardup
	stageQuality
	stagePage
	stageDocuments
	stageSelect
	stageOwn
	stageOther // keys of URLs, redirects, the page in its raw form
	stageCount
)

// stageNames are in the order of the constants, and are in reports.
var stageNames = [stageCount]string{
	"mime", "charset", "text", "language", "metadata", "entities", "feeds", "links", "neardup", "quality",
	"page", "documents", "select", "own", "other",
}

// Stages are what a Stopwatch tells apart, by their numbers: the extractors, and besides "page" (parsing HTML),
// "documents" (reading PDF and the like, in another process as the case may be), "select", "own" (registered
// extractors) and "other".
func Stages() []string { return stageNames[:] }

// Stopwatch measures how long the stages of one capture take, by a clock of the caller's. What one stage does for
// another is its own time: the page that links are found in is parsed in the time of "page", and the text that
// language is told of is found in that of "text". A nil Stopwatch measures nothing. It belongs to one capture at a
// time.
type Stopwatch struct {
	clock func() time.Duration // monotonic
	began time.Duration        // when the stage under way was turned to
	now   stage
	spent [stageCount]time.Duration
}

// NewStopwatch makes a stopwatch by a clock that does not go back. Turning from stage to stage asks the clock, some 25
// times a page.
func NewStopwatch(clock func() time.Duration) *Stopwatch {
	return &Stopwatch{clock: clock, now: stageOther, began: clock()}
}

// turn ends the stage under way, begins s, and returns the one that was ended, to turn back to. "defer
// w.turn(w.turn(s))" thus times a function: the inner call runs at once, the outer one at its end.
func (w *Stopwatch) turn(s stage) stage {
	// Nobody measures.
	if w == nil {
		return s
	}
	at := w.clock()
	w.spent[w.now] += at - w.began
	w.began = at
	before := w.now
	w.now = s
	return before
}

// Spent is the time of each stage until now, by the numbers of Stages.
func (w *Stopwatch) Spent() []time.Duration {
	// The stage under way is added up to now.
	w.turn(w.now)
	return w.spent[:]
}
