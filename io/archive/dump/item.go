package dump

import (
	"io"
	"iter"

	"github.com/gleaner-web/gleaner/schemas"
)

// Item is what a reader comes to: one of the four, and the others are nil. All but rejects are the receiver's to
// keep. A reject is valid until the next item is asked for, since a file may hold nothing else, and millions of them.
type Item struct {
	Capture *schemas.Capture
	Reject  *schemas.Reject  // bytes that cannot be read
	Segment *schemas.Segment // of a logical record that is to be joined; only where a reader is asked for them
	Record  *schemas.Record  // not a capture; only if a reader is asked for them
}

// All calls next until io.EOF and returns the items and, last, the error that ended reading, if it was not the end.
// It cannot be begun again: next goes on where it is.
func All(next func() (Item, error)) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for {
			item, err := next()
			// An error is yielded once and is the last.
			if err == io.EOF || !yield(item, err) || err != nil {
				return
			}
		}
	}
}

// Captures is All for those who want captures alone: what else there is they pass over.
func Captures(next func() (Item, error)) iter.Seq2[*schemas.Capture, error] {
	return func(yield func(*schemas.Capture, error) bool) {
		for item, err := range All(next) {
			// Errors are passed on: to leave them out would make a broken file look short.
			if (err != nil || item.Capture != nil) && !yield(item.Capture, err) {
				return
			}
		}
	}
}
