package subword

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
)

// file is a tokenizer.json.
type file struct {
	AddedTokens  []addedToken    `json:"added_tokens"`
	Normalizer   json.RawMessage `json:"normalizer"`
	PreTokenizer json.RawMessage `json:"pre_tokenizer"`
	Model        modelFile       `json:"model"`
}

// modelFile has the fields of all models.
type modelFile struct {
	Type                    string          `json:"type"`
	Vocab                   json.RawMessage `json:"vocab"`
	Merges                  json.RawMessage `json:"merges"`
	UnkToken                *string         `json:"unk_token"`
	UnkID                   *int32          `json:"unk_id"`
	ContinuingSubwordPrefix *string         `json:"continuing_subword_prefix"`
	EndOfWordSuffix         *string         `json:"end_of_word_suffix"`
	MaxInputCharsPerWord    *int            `json:"max_input_chars_per_word"`
	FuseUnk                 bool            `json:"fuse_unk"`
	ByteFallback            bool            `json:"byte_fallback"`
	IgnoreMerges            bool            `json:"ignore_merges"`
	Dropout                 *float64        `json:"dropout"`
}

func parseJSON(data []byte) (*Tokenizer, error) {
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	t := &Tokenizer{}
	var rawText, raw bool
	var err error
	if t.normalize, rawText, err = readNormalizers(f.Normalizer); err != nil {
		return nil, err
	}
	if t.split, raw, err = readSplitters(f.PreTokenizer); err != nil {
		return nil, err
	}
	if rawText && len(t.split) > 0 {
		return nil, errors.New("a pre-tokenizer after the normalizer ByteLevel is not supported")
	}
	if t.model, err = f.Model.read(raw || rawText); err != nil {
		return nil, err
	}
	for _, a := range f.AddedTokens {
		if a.Normalized {
			text, _ := normalized(t.normalize, a.Content)
			t.normalized.add(a, text)
		} else {
			t.added.add(a, a.Content)
		}
	}
	return t, nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (f *modelFile) read(raw bool) (model, error) {
	switch f.Type {
	case "BPE", "": // older files have no type
		return f.bpe(raw)
	case "WordPiece", "Unigram", "WordLevel":
		if raw {
			return nil, fmt.Errorf("model %s after ByteLevel is not supported", f.Type)
		}
	}
	switch f.Type {
	case "WordPiece":
		return f.wordPiece()
	case "WordLevel":
		ids, err := f.ids(false)
		return wordLevel{ids, find(ids, f.UnkToken)}, err
	case "Unigram":
		return f.unigram()
	}
	return nil, fmt.Errorf("model %q is not supported", f.Type)
}

// ids reads a vocabulary. If raw is set, it decodes the names of tokens to bytes, and leaves out other names.
func (f *modelFile) ids(raw bool) (map[string]int32, error) {
	ids := map[string]int32{}
	if err := json.Unmarshal(f.Vocab, &ids); err != nil {
		return nil, fmt.Errorf("vocab: %w", err)
	}
	if !raw {
		return ids, nil
	}
	bytes := make(map[string]int32, len(ids))
	for text, id := range ids {
		if b, ok := bytesOf(text); ok {
			bytes[b] = id
		}
	}
	return bytes, nil
}

// find returns the number of a token, or -1.
func find(ids map[string]int32, token *string) int32 {
	if id, ok := ids[text(token)]; ok && token != nil {
		return id
	}
	return -1
}

func (f *modelFile) bpe(raw bool) (model, error) {
	if f.Dropout != nil && *f.Dropout > 0 {
		return nil, errors.New("dropout is not supported: counts would be random")
	}
	names, err := f.ids(false)
	if err != nil {
		return nil, err
	}
	ids, err := f.ids(raw)
	if err != nil {
		return nil, err
	}
	c := &characters{
		ids: ids, prefix: text(f.ContinuingSubwordPrefix), suffix: text(f.EndOfWordSuffix), fuse: f.FuseUnk,
		unknown: find(names, f.UnkToken), perBytes: raw,
	}
	if f.ByteFallback {
		if c.bytes = byteTokens(names); c.bytes == nil {
			return nil, errors.New("byte_fallback without the tokens of all bytes is not supported")
		}
	}
	m := &bpe{first: c.append}
	if f.IgnoreMerges {
		m.whole = ids
	}
	m.merges, err = f.merges(names, c.prefix)
	return m, err
}

// merges reads the merges: pairs of texts, in older files with a space between them.
func (f *modelFile) merges(ids map[string]int32, prefix string) (merges, error) {
	var pairs [][2]string
	if err := json.Unmarshal(f.Merges, &pairs); err != nil {
		var lines []string
		pairs = nil
		if err := json.Unmarshal(f.Merges, &lines); err != nil {
			return nil, fmt.Errorf("merges: %w", err)
		}
		for _, line := range lines {
			left, right, ok := strings.Cut(line, " ")
			if !ok {
				return nil, fmt.Errorf("merges: %q is no pair", line)
			}
			pairs = append(pairs, [2]string{left, right})
		}
	}
	list := make(listed, len(pairs))
	for rank, p := range pairs {
		left, okLeft := ids[p[0]]
		right, okRight := ids[p[1]]
		both, ok := ids[p[0]+strings.TrimPrefix(p[1], prefix)]
		if !okLeft || !okRight || !ok {
			return nil, fmt.Errorf("merges: %q are not in the vocabulary", p)
		}
		list.add(left, right, int32(rank), both)
	}
	return list, nil
}

func (f *modelFile) wordPiece() (model, error) {
	ids, err := f.ids(false)
	m := &wordPiece{ids: ids, prefix: "##", longest: 100, unknown: find(ids, f.UnkToken)}
	if f.ContinuingSubwordPrefix != nil {
		m.prefix = *f.ContinuingSubwordPrefix
	}
	if f.MaxInputCharsPerWord != nil {
		m.longest = *f.MaxInputCharsPerWord
	}
	for token := range ids {
		m.maxSize = max(m.maxSize, len(token))
	}
	if err == nil && m.unknown < 0 {
		err = errors.New("model WordPiece without an unknown token is not supported")
	}
	return m, err
}

func (f *modelFile) unigram() (model, error) {
	var entries [][2]any
	if err := json.Unmarshal(f.Vocab, &entries); err != nil {
		return nil, fmt.Errorf("vocab: %w", err)
	}
	m := &unigram{unknown: -1, worst: math.Inf(1)}
	if f.UnkID == nil || int(*f.UnkID) >= len(entries) || *f.UnkID < 0 {
		return nil, errors.New("model Unigram without an unknown token is not supported")
	}
	m.unknown = *f.UnkID
	names := map[string]int32{}
	for i, e := range entries {
		token, isText := e[0].(string)
		score, isNumber := e[1].(float64)
		if !isText || !isNumber {
			return nil, errors.New("vocab: an entry is not a text with its score")
		}
		m.scores = append(m.scores, score)
		m.worst = min(m.worst, score)
		if names[token] = int32(i); token != "" {
			m.trie.add(token, int32(i))
		}
	}
	m.worst -= unknownPenalty
	if f.ByteFallback {
		m.bytes = byteTokens(names)
	}
	return m, nil
}

// wordLevel has whole words alone.
type wordLevel struct {
	ids     map[string]int32
	unknown int32
}

func (m wordLevel) append(ids []int32, word string, _ *worker) []int32 {
	id, ok := m.ids[word]
	if !ok {
		id = m.unknown
	}
	if id < 0 {
		return ids
	}
	return append(ids, id)
}
