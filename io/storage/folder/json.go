package folder

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ErrContent means that a file has unexpected content. It does not mean a temporary read error.
var ErrContent = errors.New("not as it was written")

// opener is a folder with readable files.
type opener interface {
	Path(name string) string
	Open(name string) (Reader, error)
}

// ReadFile reads a file of at most limit bytes; a longer one gives ErrContent.
func ReadFile(f opener, name string, limit int64) ([]byte, error) {
	r, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	// One more byte distinguishes a file that is too long from one that just fits.
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s: %w: more than %d bytes", f.Path(name), ErrContent, limit)
	}
	return data, nil
}

// ReadJSON reads a JSON file of at most limit bytes into v. Other content gives ErrContent.
func ReadJSON(f opener, name string, limit int64, v any) error {
	data, err := ReadFile(f, name, limit)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w: %w", f.Path(name), ErrContent, err)
	}
	return nil
}

// EncodeJSON returns the JSON of v in the form of a folder's files: indented, with unescaped URLs and a final newline.
func EncodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
