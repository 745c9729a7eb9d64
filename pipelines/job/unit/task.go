package unit

import (
	"context"
	"iter"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/schemas"
)

// Task is a unit to be done, as it travels to a worker.
type Task struct {
	Unit   schemas.Unit
	Key    string
	Stamps map[string]string // of the inputs' files when they were planned
	Take   *int64            `json:",omitempty"` // how many captures to take: nil for all, 0 if the unit is not read
}

// reader reads a unit: files, indexes and topics have one each. Counts and Inputs are valid after the sequence has
// ended.
type reader interface {
	All(ctx context.Context) iter.Seq2[archive.Item, error]
	Captures(ctx context.Context) iter.Seq2[*schemas.Capture, error]
	Counts() schemas.Counts
	Inputs() []schemas.Range
}
