package subword

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestNormalizers has the rules that the golden files do not have, and their settings.
func TestNormalizers(t *testing.T) {
	for _, tt := range []struct{ rule, text, want string }{
		{`{"type": "NFC"}`, "e\u0301", "é"},
		{`{"type": "NFD"}`, "é", "e\u0301"},
		{`{"type": "NFKC"}`, "ﬁ①", "fi1"},
		{`{"type": "NFKD"}`, "ﬁé", "fie\u0301"},
		{`{"type": "Lowercase"}`, "İΣ ÀB", "i\u0307σ àb"},
		{`{"type": "Strip", "strip_left": true, "strip_right": false}`, " a ", "a "},
		{`{"type": "Strip", "strip_left": false, "strip_right": true}`, "\u00a0a\n", "\u00a0a"},
		{`{"type": "StripAccents"}`, "e\u0301\u0903", "e"},
		{`{"type": "Prepend", "prepend": "_"}`, "a", "_a"},
		{`{"type": "Prepend", "prepend": "_"}`, "", ""},
		{`{"type": "Replace", "pattern": {"String": "aa"}, "content": "b"}`, "aaa", "ba"},
		{`{"type": "Replace", "pattern": {"String": ""}, "content": "b"}`, "a", "a"},
		{`{"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}`, "a \n b", "a b"},
		{`{"type": "BertNormalizer"}`, "\u0000É\t日x\u200b", "e  日 x"},
		{`{"type": "BertNormalizer", "lowercase": false}`, "É", "É"},
		{`{"type": "BertNormalizer", "lowercase": false, "strip_accents": true}`, "É", "E"},
		{`{"type": "BertNormalizer", "clean_text": false, "handle_chinese_chars": false}`, "\u0000日", "\u0000日"},
		{`{"type": "Nmt"}`, "a\u0007\tb\ufeff", "a b "},
		{`{"type": "Precompiled", "precompiled_charsmap": ""}`, "a\tb", "a\tb"},
		{`{"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]}`, "é", "e"},
		{`null`, "a", "a"},
	} {
		list, raw, err := readNormalizers(json.RawMessage(tt.rule))
		if err != nil || raw {
			t.Errorf("%s: %v, %v", tt.rule, raw, err)
			continue
		}
		if got, _ := normalized(list, tt.text); got != tt.want {
			t.Errorf("%s of %q: %q, want %q", tt.rule, tt.text, got, tt.want)
		}
	}
}

// words returns the pieces that pre-tokenizers make of a text.
func words(t *testing.T, rule, text string) string {
	t.Helper()
	list, _, err := readSplitters(json.RawMessage(rule))
	if err != nil {
		t.Fatalf("%s: %v", rule, err)
	}
	w := &worker{split: list}
	if err := w.divide(piece{text, true}); err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, p := range w.pieces {
		parts = append(parts, p.text)
	}
	return strings.Join(parts, "|")
}

func TestSplitters(t *testing.T) {
	split := func(behavior string) string {
		return fmt.Sprintf(`{"type": "Split", "pattern": {"String": "-"}, "behavior": %q}`, behavior)
	}
	for _, tt := range []struct{ rule, text, want string }{
		{`{"type": "ByteLevel"}`, "the river's  2", " the| river|'s| | 2"},
		{`{"type": "ByteLevel", "add_prefix_space": false, "use_regex": false}`, "a b", "a b"},
		{`{"type": "Metaspace", "replacement": "_"}`, "a b", "_a|_b"},
		{`{"type": "Metaspace", "replacement": "_", "prepend_scheme": "never", "split": false}`, "a b", "a_b"},
		{`{"type": "Metaspace", "replacement": "_", "add_prefix_space": false}`, "a b", "a|_b"},
		{`{"type": "Whitespace"}`, "a-b  c", "a|-|b|c"},
		{`{"type": "WhitespaceSplit"}`, " a-b\u00a0c ", "a-b|c"},
		{`{"type": "BertPreTokenizer"}`, "a-b c«", "a|-|b|c|«"},
		{`{"type": "Punctuation", "behavior": "Contiguous"}`, "a--b", "a|--|b"},
		{`{"type": "Digits"}`, "a12b", "a|12|b"},
		{`{"type": "Digits", "individual_digits": true}`, "a12½", "a|1|2|½"},
		{`{"type": "CharDelimiterSplit", "delimiter": "-"}`, "a--b", "a|b"},
		{split("Removed"), "-a--b-", "a|b"},
		{split("Isolated"), "-a--b-", "-|a|-|-|b|-"},
		{split("MergedWithPrevious"), "-a--b-", "-|a-|-|b-"},
		{split("MergedWithNext"), "-a--b-", "-a|-|-b|-"},
		{split("Contiguous"), "-a--b-", "-|a|--|b|-"},
		{`{"type": "Split", "pattern": {"Regex": "[a-z]+"}, "behavior": "Removed", "invert": true}`, "1ab2c", "ab|c"},
		{`{"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Digits"}]}`, "a1 b", "a|1|b"},
		{`null`, "a b", "a b"},
	} {
		if got := words(t, tt.rule, tt.text); got != tt.want {
			t.Errorf("%s of %q: %s, want %s", tt.rule, tt.text, got, tt.want)
		}
	}
}

// TestMatcher: the longest token counts, also beside others, with white space and only as a word where that is asked.
func TestMatcher(t *testing.T) {
	var m matcher
	for i, a := range []addedToken{
		{Content: "ab"},
		{Content: "abc"},
		{Content: "word", SingleWord: true},
		{Content: "<l>", LStrip: true},
		{Content: "<r>", RStrip: true},
		{Content: ""},
	} {
		a.ID = int32(i)
		m.add(a, a.Content)
	}
	for _, tt := range []struct{ text, want string }{
		{"", "[]"},
		{"xabcabx", `["x" 1"abc" 0"ab" "x"]`},
		{"a word, words", `["a " 2"word" ", words"]`},
		{"a <l> b <r> c", `["a" 3" <l>" " b " 4"<r> " "c"]`},
		{"<r>  <l>x", `[4"<r>  " 3"<l>" "x"]`},
	} {
		list := []string{}
		m.each(tt.text, func(part string, _ int, id int32) {
			if s := fmt.Sprintf("%q", part); id >= 0 {
				list = append(list, fmt.Sprint(id)+s)
			} else {
				list = append(list, s)
			}
		})
		if got := fmt.Sprint(list); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
}

// TestModels has what the golden files do not have: unknown characters, with and without bytes.
func TestModels(t *testing.T) {
	for _, tt := range []struct {
		model, text string
		want        []int32
	}{
		{`{"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": []}`, "axb", []int32{0, 1}},
		{`{"type": "BPE", "unk_token": "u", "vocab": {"a": 0, "u": 1}, "merges": []}`, "axxa", []int32{0, 1, 1, 0}},
		{`{"unk_token": "u", "fuse_unk": true, "vocab": {"a": 0, "u": 1}, "merges": []}`, "axxa", []int32{0, 1, 0}},
		{`{"ignore_merges": true, "vocab": {"a": 0, "ab": 1, "b": 2}, "merges": []}`, "ab", []int32{1}},
		{`{"vocab": {"a": 0, "b": 1, "ab": 2, "ba": 3}, "merges": [["b", "a"], ["a", "b"]]}`, "aba", []int32{0, 3}},
		{`{"type": "Unigram", "unk_id": 0, "vocab": [["u", 0], ["a", -1], ["b", -1], ["ab", -3]]}`, "abxx", []int32{1, 2, 0}},
		{`{"type": "Unigram", "unk_id": 0, "vocab": [["u", 0], ["a", -2], ["b", -2], ["ab", -3]]}`, "ab", []int32{3}},
		{`{"type": "WordPiece", "unk_token": "u", "vocab": {"u": 0, "a": 1, "##b": 2}}`, "ab", []int32{1, 2}},
		{`{"type": "WordPiece", "unk_token": "u", "vocab": {"u": 0, "a": 1, "##b": 2}}`, "abc", []int32{0}},
		{
			`{"type": "WordPiece", "unk_token": "u", "max_input_chars_per_word": 1, "vocab": {"u": 0, "a": 1}}`, "aa",
			[]int32{0},
		},
		{`{"type": "WordLevel", "unk_token": "u", "vocab": {"u": 0, "a": 1}}`, "b", []int32{0}},
		{`{"type": "WordLevel", "vocab": {"a": 1}}`, "b", nil},
	} {
		k, err := Parse("a.json", []byte(`{"model": `+tt.model+`}`))
		if err != nil {
			t.Errorf("%s: %v", tt.model, err)
			continue
		}
		if got, err := k.Tokens(tt.text); !slices.Equal(got, tt.want) || err != nil {
			t.Errorf("%s of %q: %v, %v; want %v", tt.model, tt.text, got, err, tt.want)
		}
	}
}
