package collection

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// Interim names a file that one pass over the inputs leaves for the next, in the hidden folder: what it holds, and the
// Key of what it was made of. Whoever makes it again writes the same bytes.
type Interim struct{ Kind, Key string }

// The kinds of interim files.
const (
	KindSketches  = "sketches"  // what the pages of one unit tell of their hosts
	KindTemplates = "templates" // the templates of all hosts
)

var (
	interimPattern = regexp.MustCompile(`^(` + KindSketches + `|` + KindTemplates + `)-[0-9a-f]{64}$`)
	interimTemp    = regexp.MustCompile(`^(` + KindSketches + `|` + KindTemplates + `)-[0-9a-f]{64}\.tmp-` + uniquePattern + `$`)
)

func (f Interim) name() string { return f.Kind + "-" + f.Key }

func (f Interim) path(dir string) string { return filepath.Join(dir, hiddenDir, f.name()) }

// Write makes the file in the folder of an open collection: whole, or after an error not at all.
func (f Interim) Write(dir string, data []byte) error {
	path := f.path(dir)
	if !interimPattern.MatchString(f.name()) {
		return fmt.Errorf("collection: %s: not an interim file", f.name())
	}
	if err := replaceFile(path, path+".tmp-"+unique(), data); err != nil {
		return fmt.Errorf("collection: %w", err)
	}
	return nil
}

// Open opens the file for reading. One that is not there is fs.ErrNotExist.
func (f Interim) Open(dir string) (*os.File, error) {
	r, err := os.Open(f.path(dir))
	if err != nil {
		return nil, fmt.Errorf("collection: %w", err)
	}
	return r, nil
}

// Exists tells whether the file is there.
func (f Interim) Exists(dir string) (bool, error) {
	_, err := os.Stat(f.path(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("collection: %w", err)
	}
	return true, nil
}

// KeepInterims removes all interim files but these.
func (c *Collection) KeepInterims(keep []Interim) error {
	kept := map[string]bool{}
	for _, f := range keep {
		kept[f.name()] = true
	}
	entries, err := os.ReadDir(c.hidden(""))
	if err != nil {
		return fmt.Errorf("collection: %w", err)
	}
	for _, e := range entries {
		if kept[e.Name()] || !interimPattern.MatchString(e.Name()) {
			continue
		}
		if err := removeFile(c.hidden(e.Name())); err != nil {
			return fmt.Errorf("collection: %w", err)
		}
	}
	return nil
}
