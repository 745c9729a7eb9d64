package dump

import (
	"io"
	"iter"

	"github.com/gleaner-web/gleaner/schemas"
)

// Item is one result of a reader: exactly one field is set. All but rejects belong to the caller. A reject is valid
// until the next item, because a file may consist of millions of them.
type Item struct {
	Capture *schemas.Capture
	Reject  *schemas.Reject
	Segment *schemas.Segment // a segment of a logical record to join; only if the reader is asked for segments
	Record  *schemas.Record  // not a capture; only if the reader is asked for records
}

// All calls next until io.EOF. It yields the items and, last, any other error. A second iteration continues where the
// first stopped.
func All(next func() (Item, error)) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for {
			item, err := next()
			if err == io.EOF || !yield(item, err) || err != nil {
				return
			}
		}
	}
}

// Captures is like All but yields only captures and errors.
func Captures(next func() (Item, error)) iter.Seq2[*schemas.Capture, error] {
	return func(yield func(*schemas.Capture, error) bool) {
		for item, err := range All(next) {
			// Without errors a broken file would look like a short one.
			if (err != nil || item.Capture != nil) && !yield(item.Capture, err) {
				return
			}
		}
	}
}
