package enrich

import "time"

// stage is a unit of time measurement: an extractor, or work shared by several. It is an index of Stopwatch.spent and
// of stageNames.
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
	stageRights
	stageLicenses
	stageNeardup
	stageQuality
	stageSentiment
	stageImages
	stageData
	stagePage
	stageDocuments
	stageSelect
	stageOwn
	stageOther // keys of URLs, redirects, the page in its raw form
	stageCount
)

// stageNames are in the order of the constants and appear in reports.
var stageNames = [stageCount]string{
	"mime", "charset", "text", "language", "metadata", "entities", "feeds", "links", "rights", "licenses", "neardup",
	"quality", "sentiment", "images", "data", "page", "documents", "select", "own", "other",
}

// Stages returns the names of the stages that a Stopwatch distinguishes, by number. They are the extractors, "page"
// (parsing HTML), "documents" (reading PDF and the like, possibly in another process), "select", "own" (registered
// extractors) and "other".
func Stages() []string { return stageNames[:] }

// Stopwatch measures the time of each stage for one capture, with the caller's clock. Work that one stage does for
// another counts for itself. For example, parsing the page for links counts as "page", and extracting the text for the
// language counts as "text". A nil Stopwatch measures nothing. It belongs to one capture at a time.
type Stopwatch struct {
	clock func() time.Duration // monotonic
	began time.Duration        // start of the current stage
	now   stage
	spent [stageCount]time.Duration
}

// NewStopwatch makes a stopwatch with a monotonic clock. It reads the clock at each change of stage, some 25 times for
// a page.
func NewStopwatch(clock func() time.Duration) *Stopwatch {
	return &Stopwatch{clock: clock, now: stageOther, began: clock()}
}

// turn ends the current stage, begins s, and returns the ended one for turning back. So "defer w.turn(w.turn(s))"
// measures a function: the inner call runs at once, the outer one at its end.
func (w *Stopwatch) turn(s stage) stage {
	// Nothing is measured.
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

// Spent returns the time of each stage until now, by the numbers of Stages.
func (w *Stopwatch) Spent() []time.Duration {
	// This adds the current stage up to now.
	w.turn(w.now)
	return w.spent[:]
}
