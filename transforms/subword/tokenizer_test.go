package subword

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func open(t testing.TB, name string) *Tokenizer {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	k, err := Parse(name, data)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestTokens_golden: the tokens are those of tokenizers 0.23.3, for a file of each kind of model.
func TestTokens_golden(t *testing.T) {
	data, err := os.ReadFile("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Texts  []string               `json:"texts"`
		Tokens map[string][][2]uint32 `json:"tokens"` // their number, and the CRC of their numbers in 4 bytes each
	}
	if err := json.Unmarshal(data, &golden); err != nil || len(golden.Tokens) < 8 {
		t.Fatal(len(golden.Tokens), err)
	}
	for name, want := range golden.Tokens {
		t.Run(name, func(t *testing.T) {
			k := open(t, name)
			for i, text := range golden.Texts {
				ids, err := k.Tokens(text)
				if err != nil {
					t.Fatal(err)
				}
				var b []byte
				for _, id := range ids {
					b = binary.LittleEndian.AppendUint32(b, uint32(id))
				}
				got := [2]uint32{uint32(len(ids)), crc32.ChecksumIEEE(b)}
				if n, err := k.Count(text); got != want[i] || n != len(ids) || err != nil {
					t.Errorf("%q: %d tokens %v, Count %d, %v; want %d", text, len(ids), ids, n, err, want[i][0])
				}
			}
		})
	}
}

// tiktoken returns a file with all bytes and some merges.
func tiktoken() []byte {
	var b strings.Builder
	rank := 0
	for _, token := range append(allBytes(), " t", "he", " the", "in", "re", "ing", "20", "202", "'s") {
		fmt.Fprintf(&b, "%s %d\n", base64.StdEncoding.EncodeToString([]byte(token)), rank)
		rank++
	}
	return []byte(b.String())
}

func allBytes() (list []string) {
	for b := range 256 {
		list = append(list, string([]byte{byte(b)}))
	}
	return list
}

func TestTiktoken(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       int
	}{
		{"cl100k_base", "the the's in 2026", 9},
		{"cl100k_base", "", 0},
		{"cl100k_base", "\n\n  x", 5},
		{"o200k_base", "the the's in 2026", 9},
		{"r50k_base", "the the's in 2026", 9},
		{"gpt2", "é", 2},
	} {
		k, err := Parse("/models/"+tt.name+".tiktoken", tiktoken())
		if err != nil {
			t.Fatal(err)
		}
		if n, err := k.Count(tt.text); n != tt.want || err != nil {
			ids, _ := k.Tokens(tt.text)
			t.Errorf("%s: %q has %d tokens %v, %v; want %d", tt.name, tt.text, n, ids, err, tt.want)
		}
	}
}

// TestParse_refuses: Parse refuses unknown parts, so that no count is wrong.
func TestParse_refuses(t *testing.T) {
	bpe := `"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]`
	for _, tt := range []struct{ name, data, want string }{
		{"a.json", "", "unexpected end"},
		{"a.json", `{"model": {"type": "Neural"}}`, `model "Neural" is not supported`},
		{"a.json", `{` + bpe + `, "dropout": 0.1}}`, "dropout is not supported"},
		{"a.json", `{"model": {"vocab": {"a": 0}, "merges": ["a b"]}}`, "are not in the vocabulary"},
		{"a.json", `{` + bpe + `, "byte_fallback": true}}`, "byte_fallback without the tokens of all bytes"},
		{"a.json", `{"normalizer": {"type": "Rot13"}, ` + bpe + `}}`, "normalizer Rot13 is not supported"},
		{"a.json", `{"pre_tokenizer": {"type": "Words"}, ` + bpe + `}}`, "pre-tokenizer Words is not supported"},
		{
			"a.json", `{"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(?<=a)b"}, "behavior": "Isolated"}, ` + bpe +
				`}}`,
			"is not supported",
		},
		{
			"a.json", `{"pre_tokenizer": {"type": "Split", "pattern": {"String": "a"}, "behavior": "Eaten"}, ` + bpe + `}}`,
			"Eaten",
		},
		{"a.json", `{"model": {"type": "Unigram", "vocab": [["a", -1.0]]}}`, "without an unknown token"},
		{"a.json", `{"model": {"type": "WordPiece", "vocab": {"a": 0}, "unk_token": "[UNK]"}}`, "without an unknown token"},
		{"mine.tiktoken", string(tiktoken()), `no encoding "mine": name the file as one of cl100k_base, gpt2`},
		{"gpt2.tiktoken", "YQ== 0\n", "the byte 0 is no token"},
		{"gpt2.tiktoken", "YQ==\n", "is not a token and its rank"},
	} {
		if _, err := Parse(tt.name, []byte(tt.data)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.data, err, tt.want)
		}
	}
}

// TestCount_longReplacements: a text that a replacement makes too long is refused, like one that is too long itself.
func TestCount_longReplacements(t *testing.T) {
	k, err := Parse("a.json", []byte(`{"normalizer": {"type": "Replace", "pattern": {"String": "a"}, "content": "`+
		strings.Repeat("b", 1000)+`"}, "model": {"type": "BPE", "vocab": {"b": 0}, "merges": []}}`))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := k.Count("aa"); n != 2000 || err != nil {
		t.Errorf("a short one: %d, %v", n, err)
	}
	if _, err := k.Count(strings.Repeat("a", MaxBytes/1000+1)); !errors.Is(err, ErrLong) {
		t.Errorf("a long one: %v", err)
	}
}

func TestCount_limits(t *testing.T) {
	k := open(t, "bytelevel.json")
	if _, err := k.Count(strings.Repeat("a", MaxBytes+1)); !errors.Is(err, ErrLong) {
		t.Errorf("a text above the limit: %v", err)
	}
	// Texts that make each step long: each takes time in proportion to its length.
	for _, text := range []string{"a", " ", "A", "\n", "é", "日", "'"} {
		if n, err := k.Count(strings.Repeat(text, 300_000/len(text))); n == 0 || err != nil {
			t.Errorf("%q: %d, %v", text, n, err)
		}
	}
}

// TestCount_atOnce: several goroutines count the same.
func TestCount_atOnce(t *testing.T) {
	k := open(t, "unigram.json")
	want, err := k.Count("the river is wide")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				if n, err := k.Count("the river is wide"); n != want || err != nil {
					t.Errorf("%d, %v; want %d", n, err, want)
				}
			}
		})
	}
	all.Wait()
}

func FuzzParse(f *testing.F) {
	bpe := `"model": {"type": "BPE", "unk_token": "u", "vocab": {"u": 0, "a": 1, "b": 2, "ab": 3}, "merges": ["a b"]}`
	for _, file := range []string{
		`{` + bpe + `}`,
		`{"added_tokens": [{"id": 9, "content": "ba", "lstrip": true, "normalized": true}],
			"normalizer": {"type": "NFKC"}, "pre_tokenizer": {"type": "ByteLevel"}, ` + bpe + `}`,
		`{"normalizer": {"type": "Sequence", "normalizers": [{"type": "BertNormalizer"}, {"type": "Nmt"}]},
			"pre_tokenizer": {"type": "BertPreTokenizer"},
			"model": {"type": "WordPiece", "unk_token": "u", "vocab": {"u": 0, "a": 1, "##b": 2}}}`,
		`{"pre_tokenizer": {"type": "Metaspace", "replacement": "_", "prepend_scheme": "first"},
			"model": {"type": "Unigram", "unk_id": 0, "vocab": [["u", 0.0], ["a", -1.5], ["_a", -2.0]]}}`,
		`{"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "\\s+(?!\\S)|(?i:a)"}, "behavior": "MergedWithNext"}, ` +
			bpe + `}`,
	} {
		f.Add([]byte(file), "the a baab İ\u0301 日本\xff <unk> 12")
	}
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		k, err := Parse("a.json", data)
		if err != nil {
			return
		}
		ids, err := k.Tokens(text)
		n, errCount := k.Count(text)
		if (err == nil) != (errCount == nil) || err == nil && n != len(ids) {
			t.Fatalf("%d tokens (%v), Count %d (%v)", len(ids), err, n, errCount)
		}
	})
}

func BenchmarkCount(b *testing.B) {
	k := open(b, "bytelevel.json")
	text := strings.Repeat("The river that we have seen was to be crossed with care in 2026. ", 100)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := k.Count(text); err != nil {
			b.Fatal(err)
		}
	}
}
