package holdings

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Asked is what the last run was asked for, finished or not, so that the next one can tell what it would leave out.
type Asked struct {
	Inputs  []string       `json:"inputs"`            // as they were named
	Indexes []string       `json:"indexes,omitempty"` // likewise
	Lookup  schemas.Lookup `json:"lookup,omitzero"`   // of the indexes
	Dir     string         `json:"dir,omitempty"`     // that relative names are relative to
	Options map[string]any `json:"options"`           // as the manifest has them
	// Made are the options that units were made with, by Note.Options.
	Made map[string]map[string]any `json:"made,omitempty"`
}

// Command is what the run was asked for as it would be written on a command line.
func (a Asked) Command() string {
	var b strings.Builder
	b.WriteString("ingest")
	for _, name := range a.Indexes {
		fmt.Fprintf(&b, " --cdx=%s", name)
	}
	for _, name := range a.Inputs {
		fmt.Fprintf(&b, " %s", name)
	}
	return b.String()
}

// maxAsked bounds the note of what was asked for, in bytes: the arguments of a command line, and options.
const maxAsked = 64 << 20

// ReadAsked returns what the last run in f was asked for. A folder in which nobody has noted it, or somebody something
// else, is fs.ErrNotExist.
func ReadAsked(f Folder) (Asked, error) {
	var a Asked
	err := folder.ReadJSON(f, Hidden(AskedFile), maxAsked, &a)
	if errors.Is(err, folder.ErrContent) {
		// A note that cannot be read says as little as none: the run is asked for again.
		err = fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	if err != nil {
		return Asked{}, fmt.Errorf("collection: %w", err)
	}
	return a, nil
}
