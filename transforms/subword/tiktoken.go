package subword

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// The patterns of tiktoken's encodings (tiktoken_ext/openai_public.py).
const (
	r50k   = `'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s+(?!\S)|\s`
	cl100k = `'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s*[\r\n]|` +
		`\s+(?!\S)|\s`
	o200k = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|` +
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|` +
		`\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
)

var tiktokenPatterns = map[string]string{
	"gpt2": r50k, "r50k_base": r50k, "p50k_base": r50k, "p50k_edit": r50k, "cl100k_base": cl100k, "o200k_base": o200k,
	"o200k_harmony": o200k,
}

// parseTiktoken reads lines of a token in base64 and its rank. The file's name says which pattern divides texts.
func parseTiktoken(name string, data []byte) (*Tokenizer, error) {
	encoding := strings.TrimSuffix(path.Base(strings.ReplaceAll(name, `\`, "/")), ".tiktoken")
	text, ok := tiktokenPatterns[encoding]
	if !ok {
		return nil, fmt.Errorf("no encoding %q: name the file as one of %s", encoding,
			strings.Join(slices.Sorted(maps.Keys(tiktokenPatterns)), ", "))
	}
	r := &ranked{ids: map[string]int32{}}
	for line := range bytes.Lines(data) {
		fields := strings.Fields(string(line))
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 2 {
			return nil, fmt.Errorf("%.80q is not a token and its rank", line)
		}
		token, err := base64.StdEncoding.DecodeString(fields[0])
		if err != nil {
			return nil, fmt.Errorf("%.80q: %w", line, err)
		}
		rank, err := strconv.ParseUint(fields[1], 10, 21)
		if err != nil {
			return nil, fmt.Errorf("%.80q: %w", line, err)
		}
		r.ids[string(token)] = int32(rank)
		r.bytes = slices.Grow(r.bytes, max(0, int(rank)+1-len(r.bytes)))[:max(len(r.bytes), int(rank)+1)]
		r.bytes[rank] = string(token)
	}
	c := &characters{ids: r.ids, perBytes: true, unknown: -1}
	for b := range 256 {
		if _, ok := r.ids[string([]byte{byte(b)})]; !ok {
			return nil, fmt.Errorf("the byte %d is no token", b)
		}
	}
	return &Tokenizer{
		split: []splitter{mustSplit(text, isolated, false)},
		model: &bpe{whole: r.ids, first: c.append, merges: r},
	}, nil
}
