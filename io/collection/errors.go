package collection

import "errors"

// Version is the version of what units write. It is part of their keys and changes if the same documents give other
// records. Parquet has its own version.
const Version = "1"

// ExtractorsFile is the name of a file in the folder that users write. It says which extractors run on which captures.
// This package never changes it, and it may exist before the first run.
const ExtractorsFile = "extractors.yaml"

// Errors of a folder, for errors.Is; the errors that wrap them name the folder or the file.
var (
	// ErrForeign means that the folder is not empty and not a collection. Nothing in it was changed.
	ErrForeign = errors.New("collection: the folder is not empty and not made by gleaner; " +
		"name a new or an empty folder")
	// ErrBusy means that another run is writing to the folder.
	ErrBusy = errors.New("collection: another run is writing to this folder; wait for it, or name another folder")
	// ErrDiffers means that a unit was done twice with different bytes.
	ErrDiffers = errors.New("collection: two attempts at one unit wrote different bytes")
	// ErrRanges means that a range of a file does not begin where the range before it ended.
	ErrRanges = errors.New("collection: two ranges of a file do not meet")
	// ErrMissing means that a shard is missing and its unit cannot be done again.
	ErrMissing = errors.New("collection: a shard is missing whose archives are not there to make it again")
	// ErrIncomplete means that a unit has no result, or that its shards are not in the folder.
	ErrIncomplete = errors.New("collection: a unit is not complete")
)
