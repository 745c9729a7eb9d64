// Package standard has the table of vectors that Gleaner brings along. It knows Arabic, Chinese in both forms, Dutch,
// English, French, German, Italian, Japanese, Korean, Polish, Portuguese, Russian, Spanish, Thai and Turkish.
//
// The files are made by .tools/meaning from the weights of a sentence model, Google's Universal Sentence Encoder
// (multilingual, version 3; Apache License 2.0): see docs/meaning.md. Programs that import this package grow by 13 MB.
package standard

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/meaning"
	"github.com/gleaner-web/gleaner/transforms/packed"
)

// The table is in parts, because files of a repository should be small.
//
//go:embed table.* tokenizer.json.gz
var files embed.FS

// near is meaning.Model.Near of the table. About 1 in 100 passages of other pages is as near to a question, and
// two thirds of right answers: see docs/meaning.md.
const near = .35

// maxTokenizer bounds the tokenizer after decompression, in bytes.
const maxTokenizer = 16 << 20

// Model returns the model. It is read by the first call.
var Model = sync.OnceValues(read)

func read() (*meaning.Model, error) {
	tensors, err := join()
	if err != nil {
		return nil, err
	}
	packed, err := files.ReadFile("tokenizer.json.gz")
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("meaning: the standard tokenizer: %w", err)
	}
	tokenizer, err := io.ReadAll(io.LimitReader(r, maxTokenizer))
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, fmt.Errorf("meaning: the standard tokenizer: %w", err)
	}
	m, err := meaning.Parse(tensors, tokenizer)
	if err == nil {
		m.Near, m.Standard = near, true
	}
	return m, err
}

// join returns the parts of the table as one file.
func join() ([]byte, error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var tensors []byte
	for _, e := range entries { // sorted by name
		if e.Name() == "tokenizer.json.gz" {
			continue
		}
		part, err := files.ReadFile(e.Name())
		if err != nil {
			return nil, err
		}
		table, err := packed.Unpack(part)
		if err != nil {
			return nil, fmt.Errorf("meaning: the standard table: %w", err)
		}
		tensors = append(tensors, table...)
	}
	return tensors, nil
}
