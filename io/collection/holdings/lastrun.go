package holdings

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// LastRun is what the last run was asked for, finished or not. By it the next run notices what it would leave out.
type LastRun struct {
	Inputs  []string       `json:"inputs"`            // as they were named
	Indexes []string       `json:"indexes,omitempty"` // as for Inputs
	Lookup  schemas.Lookup `json:"lookup,omitzero"`   // of the indexes
	Dir     string         `json:"dir,omitempty"`     // base of relative names
	Options map[string]any `json:"options"`           // as the manifest has them
	// Made are the options that units were made with, by Note.Options.
	Made map[string]map[string]any `json:"made,omitempty"`
}

// Command returns what the run was asked for, as a command line for a shell.
func (a LastRun) Command() string {
	var b strings.Builder
	b.WriteString("ingest")
	for _, name := range a.Indexes {
		b.WriteString(" --cdx=" + schemas.ShellWord(name))
	}
	for _, name := range a.Inputs {
		b.WriteString(" " + schemas.ShellWord(name))
	}
	return b.String()
}

// maxLastRun limits the note, in bytes: it holds a command line's arguments, and options.
const maxLastRun = 64 << 20

// ReadLastRun returns what the last run in f was asked for. It returns fs.ErrNotExist if no run noted it, or if the
// note has invalid content.
func ReadLastRun(f Folder) (LastRun, error) {
	var a LastRun
	err := folder.ReadJSON(f, Hidden(LastRunFile), maxLastRun, &a)
	if errors.Is(err, folder.ErrContent) {
		// The run is simply asked for again.
		err = fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	if err != nil {
		return LastRun{}, err
	}
	return a, nil
}
