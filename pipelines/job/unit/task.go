package unit

import "github.com/gleaner-web/gleaner/schemas"

// Task is a unit to be done, as it travels to a worker.
type Task struct {
	Unit   schemas.Unit
	Key    string
	Stamps map[string]string // of the inputs' files when they were planned
	Take   *int64            `json:",omitempty"` // how many captures to take: nil for all, 0 if the unit is not read
}
