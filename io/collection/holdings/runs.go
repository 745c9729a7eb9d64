package holdings

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// RunsFile is the list of finished runs, in the hidden folder: see collection.KeepRun.
const RunsFile = "runs.json"

// MaxRuns is how many runs are kept: the newest.
const MaxRuns = 1000

const maxRunsBytes = 64 << 20

// KeptRun describes a finished run. It has no URLs of pages, so that takedowns need not change it.
type KeptRun struct {
	Number     int               `json:"number"` // from 1
	Command    string            `json:"command"`
	Asked      string            `json:"asked,omitempty"` // as a command line, at most MaxAskedText bytes
	Release    string            `json:"release"`         // of the program
	Runner     string            `json:"runner,omitempty"`
	Started    string            `json:"started"` // RFC 3339, UTC
	Seconds    schemas.Float     `json:"seconds"`
	CPUSeconds schemas.Float     `json:"cpu_seconds"`
	PeakMemory int64             `json:"peak_memory"` // in bytes
	Units      int               `json:"units"`       // that it did
	Kept       int               `json:"kept_units"`  // that earlier runs did
	Archives   int64             `json:"archives"`    // that it read
	Added      schemas.Counts    `json:"added"`       // of the units that it did
	Before     int64             `json:"before"`      // captures of the collection before
	After      int64             `json:"after"`       // and after it
	Options    map[string]any    `json:"options,omitempty"`
	Versions   map[string]string `json:"versions,omitempty"`
}

// MaxAskedText limits KeptRun.Asked.
const MaxAskedText = 4000

// Replaced returns how many captures of earlier runs it replaced or removed.
func (r KeptRun) Replaced() int64 { return max(0, r.Before+r.Added.Captures-r.After) }

// ReadRuns returns the finished runs of the collection in f, the oldest first. Runs of versions before 0.9 are missing.
func ReadRuns(f Folder) ([]KeptRun, error) {
	var list []KeptRun
	err := folder.ReadJSON(f, Hidden(RunsFile), maxRunsBytes, &list)
	// Damaged notes of the past do not stop anything.
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, folder.ErrContent) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("collection: %s: %w", RunsFile, err)
	}
	return list, nil
}

// Archives returns how many archives units have read. A file that was divided counts once.
func Archives(units []schemas.UnitResult) int64 {
	// This is a set: a large file is read in several units.
	names := map[string]bool{}
	var groups int64
	for _, u := range units {
		for _, in := range u.Inputs {
			switch {
			// For a series of small files in a folder, the manifest has the number, and not the names.
			case in.Group != nil:
				groups += int64(in.Group.Files)
			// A file that is not an archive has no format, and is not counted. An index has none either, and stands for
			// its archives.
			case in.Format != "" || in.Lookup != nil:
				names[in.File] = true
			}
		}
	}
	return int64(len(names)) + groups
}
