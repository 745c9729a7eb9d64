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

// Check returns an error if the files of a model are missing or too large. So a server says so at its start, and not at
// the first question.
func Check(name string) error {
	if name == "" {
		return nil
	}
	_, _, err := files(name)
	return err
}

// files returns the names of the two files of a model.
func files(name string) (tensors, tokenizer string, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", "", fmt.Errorf("the model of meanings: %w", err)
	}
	if info.IsDir() {
		name = filepath.Join(name, "model.safetensors")
	}
	tokenizer = filepath.Join(filepath.Dir(name), "tokenizer.json")
	for _, file := range []string{name, tokenizer} {
		info, err := os.Stat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist) && file == tokenizer:
			return "", "", fmt.Errorf("%w: a model needs the tokenizer.json of its tokens beside it", err)
		case err != nil:
			return "", "", fmt.Errorf("the model of meanings: %w", err)
		case !info.Mode().IsRegular():
			return "", "", fmt.Errorf("the model of meanings: %s is not a file", file)
		case info.Size() > maxFile:
			return "", "", fmt.Errorf("%s has more than %d bytes", file, maxFile)
		}
	}
	return name, tokenizer, nil
}

func read(name string) (*meaning.Model, error) {
	name, other, err := files(name)
	if err != nil {
		return nil, err
	}
	tensors, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	tokenizer, err := os.ReadFile(other)
	if err != nil {
		return nil, err
	}
	m, err := meaning.Parse(tensors, tokenizer)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}
