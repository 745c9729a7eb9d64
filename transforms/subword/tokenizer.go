package subword

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"
)

// Version is the version of the counts.
const Version = "1"

// MaxBytes limits a text whose tokens are counted. Models without words take 30 bytes of memory for each of its bytes.
const MaxBytes = 4 << 20

// ErrLong means that a text is longer than MaxBytes.
var ErrLong = errors.New("subword: the text is longer than 4 MiB")

// Tokenizer is a file of rules and vocabulary. Its methods may be called by several goroutines.
type Tokenizer struct {
	added      matcher // before normalization
	normalized matcher // after it
	normalize  []normalizer
	split      []splitter
	model      model
	workers    sync.Pool
}

// model makes the tokens of a word.
type model interface {
	// append appends the tokens of a word.
	append(ids []int32, word string, w *worker) []int32
}

// worker is what one goroutine needs for a text.
type worker struct {
	split  []splitter // with patterns of its own
	pieces []piece
	next   []piece
	ids    []int32
	words  map[string]int // numbers of tokens of short words
	heap   []merge
	parts  []part
	path   []step
}

// piece is a part of a text. first says that it begins where the text does.
type piece struct {
	text  string
	first bool
}

// maxWords limits the remembered words of a worker, and maxWord the length of each in bytes.
const (
	maxWords = 1 << 16
	maxWord  = 64
)

// Parse reads a file. Its name tells the kind: .json, or .tiktoken with a known name such as cl100k_base.
func Parse(name string, data []byte) (*Tokenizer, error) {
	t, err := parse(name, data)
	if err != nil {
		return nil, fmt.Errorf("tokenizer %s: %w", path.Base(name), err)
	}
	t.workers.New = func() any {
		w := &worker{words: map[string]int{}}
		for _, s := range t.split {
			w.split = append(w.split, s.clone())
		}
		return w
	}
	return t, nil
}

func parse(name string, data []byte) (*Tokenizer, error) {
	if strings.HasSuffix(name, ".tiktoken") {
		return parseTiktoken(name, data)
	}
	return parseJSON(data)
}

// Count returns the number of tokens of a text.
func (t *Tokenizer) Count(text string) (int, error) {
	n := 0
	err := t.words(text, func(w *worker, word string) {
		count, known := w.words[word]
		if !known {
			w.ids = t.model.append(w.ids[:0], word, w)
			if count = len(w.ids); len(word) <= maxWord {
				if len(w.words) == maxWords {
					clear(w.words)
				}
				w.words[strings.Clone(word)] = count
			}
		}
		n += count
	}, func(int32) { n++ })
	return n, err
}

// Tokens returns the numbers of the tokens of a text in the vocabulary.
func (t *Tokenizer) Tokens(text string) (ids []int32, err error) {
	err = t.words(text, func(w *worker, word string) { ids = t.model.append(ids, word, w) },
		func(id int32) { ids = append(ids, id) })
	return ids, err
}

// words calls do with each word of a text for the model, and token with each added token, in order.
func (t *Tokenizer) words(text string, do func(w *worker, word string), token func(id int32)) (err error) {
	if len(text) > MaxBytes {
		return ErrLong
	}
	w := t.workers.Get().(*worker) // New makes them
	defer t.workers.Put(w)
	text = strings.ToValidUTF8(text, "\ufffd")
	t.added.each(text, func(part string, start int, id int32) {
		if id >= 0 {
			token(id)
			return
		}
		part, cut := normalized(t.normalize, part)
		if len(part) > MaxBytes { // a replacement may be long
			err = errors.Join(err, ErrLong)
			return
		}
		t.normalized.each(part, func(part string, inner int, id int32) {
			if id >= 0 {
				token(id)
				return
			}
			err = errors.Join(err, w.divide(piece{part, start == 0 && inner == 0 && !cut}))
			for _, p := range w.pieces {
				do(w, p.text)
			}
		})
	})
	return err
}

// divide sets the pieces of a worker to the words of p.
func (w *worker) divide(p piece) error {
	w.pieces = append(w.pieces[:0], p)
	for _, s := range w.split {
		w.next = w.next[:0]
		for _, p := range w.pieces {
			err := s.split(p, func(q piece) {
				if q.text != "" {
					w.next = append(w.next, q)
				}
			})
			if err != nil {
				return err
			}
		}
		w.pieces, w.next = w.next, w.pieces
	}
	if len(w.split) == 0 && p.text == "" {
		w.pieces = w.pieces[:0]
	}
	return nil
}
