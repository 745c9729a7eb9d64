// Package meaningmodel opens models of meanings: the one that Gleaner brings along, and files of users.
package meaningmodel

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/meaning"
	"github.com/gleaner-web/gleaner/transforms/meaning/standard"
)

// maxFile bounds a file, in bytes. It is read into memory.
const maxFile = 2 << 30

// Opener returns a function that reads a model, once. The name "" is the standard model. Any other is a file
// model.safetensors in the layout of Model2Vec, with a tokenizer.json beside it, or a folder with the two.
func Opener(name string) func() (*meaning.Model, error) {
	if name == "" {
		return standard.Model
	}
	return sync.OnceValues(func() (*meaning.Model, error) { return read(name) })
}

func read(name string) (*meaning.Model, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("the model of meanings: %w", err)
	}
	if info.IsDir() {
		name = filepath.Join(name, "model.safetensors")
	}
	tensors, err := readFile(name)
	if err != nil {
		return nil, err
	}
	tokenizer, err := readFile(filepath.Join(filepath.Dir(name), "tokenizer.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: a model needs the tokenizer.json of its tokens beside it", err)
	}
	if err != nil {
		return nil, err
	}
	m, err := meaning.Parse(tensors, tokenizer)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("the model of meanings: %w", err)
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s has more than %d bytes", name, maxFile)
	}
	return os.ReadFile(name)
}
