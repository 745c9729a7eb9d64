package conversion

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// partFile is the note of the parts that a folder has, in the hidden folder.
const partFile = "part"

// Part says which parts of a conversion a folder has.
type Part struct {
	Numbers []int  `json:"numbers"` // from 1 to Of, sorted
	Of      int    `json:"of"`
	Plan    string `json:"plan"` // of all parts: inputs, options and versions
}

// ReadPart reads the note of a folder. It is zero for a folder without parts.
func ReadPart(f folder.Folder) (p Part, err error) {
	err = folder.ReadJSON(f, hidden(partFile), maxFile, &p)
	if errors.Is(err, fs.ErrNotExist) {
		return Part{}, nil
	}
	return p, err
}

// NotePart adds to the note of the folder. It returns ErrOther if the folder has parts of another conversion.
func (c *Folder) NotePart(p Part) error {
	was, err := ReadPart(c.f)
	if err != nil {
		return err
	}
	if was.Of != 0 && (was.Of != p.Of || was.Plan != p.Plan) {
		return fmt.Errorf("%w (it has parts of %d)", ErrOther, was.Of)
	}
	p.Numbers = slices.Concat(was.Numbers, p.Numbers)
	slices.Sort(p.Numbers)
	p.Numbers = slices.Compact(p.Numbers)
	data, err := folder.EncodeJSON(p)
	if err != nil {
		return err
	}
	return c.f.Write(hidden(partFile), data)
}

// Missing returns the numbers of the parts that the folder lacks.
func (p Part) Missing() (numbers []int) {
	for i := 1; i <= p.Of; i++ {
		if !slices.Contains(p.Numbers, i) {
			numbers = append(numbers, i)
		}
	}
	return numbers
}
