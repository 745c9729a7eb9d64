package collection

import "errors"

// Errors of a folder, for errors.Is; the errors that wrap them name the folder or the file.
var (
	// ErrForeign means that the folder is not empty and not a collection. Nothing in it was changed.
	ErrForeign = errors.New("the folder is not empty and not made by gleaner; " +
		"name a new or an empty folder")
	// ErrMissing means that a shard is missing and its unit cannot be done again.
	ErrMissing = errors.New("a shard is missing whose archives are not there to make it again")
	// ErrIncomplete means that a unit has no result, or that its shards are not in the folder.
	ErrIncomplete = errors.New("a unit is not complete")
)
