package holdings

import (
	"errors"
	"fmt"
	"io/fs"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// AboutFile has the title and description of a collection, in the hidden folder.
const AboutFile = "about.json"

// Limits of About, in characters.
const (
	MaxTitle       = 200
	MaxDescription = 2000
)

// About is how people call a collection. All of it may be empty.
type About struct {
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
}

// Check returns an error if a text is too long.
func (a About) Check() error {
	if n := utf8.RuneCountInString(a.Title); n > MaxTitle {
		return fmt.Errorf("a title of %d characters: at most %d", n, MaxTitle)
	}
	if n := utf8.RuneCountInString(a.Description); n > MaxDescription {
		return fmt.Errorf("a description of %d characters: at most %d", n, MaxDescription)
	}
	return nil
}

// ReadAbout returns the title and description of the collection in f. Without a valid note both are empty.
func ReadAbout(f Folder) (a About, err error) {
	err = folder.ReadJSON(f, Hidden(AboutFile), 1<<16, &a)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, folder.ErrContent) || a.Check() != nil {
		return About{}, nil
	}
	return a, err
}

// SaveAbout writes the title and description of the collection in f.
func SaveAbout(f folder.Folder, a About) error {
	data, err := folder.EncodeJSON(a)
	if err == nil {
		err = a.Check()
	}
	if err == nil {
		err = f.Write(Hidden(AboutFile), data)
	}
	return err
}
