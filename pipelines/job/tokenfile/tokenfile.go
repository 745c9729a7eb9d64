// Package tokenfile opens files of tokenizers, and counts the tokens of documents as an extractor.
package tokenfile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"sync"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/subword"
)

// File is a file of a tokenizer. It implements enrich.Typed: the column tokens has the number of tokens of the text.
type File struct {
	*subword.Tokenizer
	sum string
}

// extractor is the name of the extractor, and of its column.
const extractor = "tokens"

// maxFile bounds a file, in bytes. The largest vocabularies have 20 MB.
const maxFile = 256 << 20

// opened holds the files of the process by name.
var opened = struct {
	sync.Mutex
	by         map[string]*File
	registered string
}{by: map[string]*File{}}

// Open opens a file, unless that has been done.
func Open(name string) (*File, error) {
	opened.Lock()
	defer opened.Unlock()
	return open(name)
}

func open(name string) (*File, error) {
	if f := opened.by[name]; f != nil {
		return f, nil
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", name)
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s has more than %d bytes", name, maxFile)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	t, err := subword.Parse(name, data)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	f := &File{t, hex.EncodeToString(sum[:])}
	opened.by[name] = f
	return f, nil
}

// Register opens a file and registers it as an extractor, unless that has been done. It returns the extractor's name.
func Register(name string) (string, error) {
	opened.Lock()
	defer opened.Unlock()
	f, err := open(name)
	if err != nil || opened.registered == name {
		return extractor, err
	}
	if err := enrich.Register(f); err != nil {
		return "", err
	}
	opened.registered = name
	return extractor, nil
}

// Close removes the extractor, and forgets all files.
func Close() {
	opened.Lock()
	defer opened.Unlock()
	if opened.registered != "" {
		enrich.Unregister(extractor)
	}
	opened.registered = ""
	clear(opened.by)
}

// SHA256 returns the hash of the file, in hexadecimal digits.
func (f *File) SHA256() string { return f.sum }

// Name returns the extractor's name.
func (*File) Name() string { return extractor }

// Version returns the version of package subword's rules and the hash of the file.
func (f *File) Version() string { return subword.Version + " " + f.sum }

// Columns returns the column.
func (*File) Columns() []string { return []string{extractor} }

// Types returns the type of the column.
func (*File) Types() map[string]schemas.ValueType {
	return map[string]schemas.ValueType{extractor: schemas.TypeInteger}
}

// Extract counts the tokens of the text.
func (f *File) Extract(p *enrich.Page) (map[string][]string, error) {
	text := p.Text()
	if text == "" {
		return nil, nil
	}
	n, err := f.Count(text)
	if err != nil {
		return nil, err
	}
	return map[string][]string{extractor: {strconv.Itoa(n)}}, nil
}
