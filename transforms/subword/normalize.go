package subword

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalizer changes a text before it is divided. It may be called by several goroutines.
type normalizer struct {
	do    func(text string) string
	drops func(c rune) bool // whether it removes a character at the beginning; nil if it removes none
}

// normalized returns what the normalizers make of a text. cut reports whether the text does not begin where it did.
func normalized(list []normalizer, text string) (out string, cut bool) {
	for _, n := range list {
		first, _ := utf8.DecodeRuneInString(text)
		cut = cut || n.drops != nil && text != "" && n.drops(first)
		text = n.do(text)
	}
	return text, cut
}

// rule is a normalizer or a pre-tokenizer of a file, with the fields of all types.
type rule struct {
	Type          string            `json:"type"`
	Normalizers   []json.RawMessage `json:"normalizers"`
	Pretokenizers []json.RawMessage `json:"pretokenizers"`
	Pattern       *struct {
		String *string `json:"String"`
		Regex  *string `json:"Regex"`
	} `json:"pattern"`
	Content            string `json:"content"`
	Prepend            string `json:"prepend"`
	StripLeft          *bool  `json:"strip_left"`
	StripRight         *bool  `json:"strip_right"`
	CleanText          *bool  `json:"clean_text"`
	HandleChineseChars *bool  `json:"handle_chinese_chars"`
	StripAccents       *bool  `json:"strip_accents"`
	Lowercase          *bool  `json:"lowercase"`
	PrecompiledCharmap []byte `json:"precompiled_charsmap"`

	AddPrefixSpace   *bool   `json:"add_prefix_space"`
	UseRegex         *bool   `json:"use_regex"`
	Behavior         string  `json:"behavior"`
	Invert           bool    `json:"invert"`
	Replacement      string  `json:"replacement"`
	PrependScheme    *string `json:"prepend_scheme"`
	Split            *bool   `json:"split"`
	IndividualDigits bool    `json:"individual_digits"`
	Delimiter        string  `json:"delimiter"`
}

// is returns a setting, or true without it.
func is(set *bool) bool { return set == nil || *set }

// readNormalizers reads the normalizer of a file. raw reports whether it makes the texts bytes.
func readNormalizers(data json.RawMessage) (list []normalizer, raw bool, err error) {
	if len(data) == 0 || string(data) == "null" {
		return nil, false, nil
	}
	var r rule
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, false, fmt.Errorf("normalizer: %w", err)
	}
	switch r.Type {
	case "Sequence":
		for _, part := range r.Normalizers {
			if raw {
				return nil, false, errors.New("a normalizer after ByteLevel is not supported")
			}
			var inner []normalizer
			if inner, raw, err = readNormalizers(part); err != nil {
				return nil, false, err
			}
			list = append(list, inner...)
		}
		return list, raw, nil
	case "ByteLevel":
		return nil, true, nil
	}
	do, err := r.normalizer()
	return []normalizer{{do, r.drops()}}, false, err
}

// drops returns which characters the normalizer removes at the beginning of texts. A text without its first one does
// not count as the first of a text.
func (r *rule) drops() func(c rune) bool {
	switch {
	case r.Type == "Strip" && is(r.StripLeft):
		return unicode.IsSpace
	case r.Type == "StripAccents":
		return func(c rune) bool { return unicode.Is(unicode.M, c) }
	case r.Type == "BertNormalizer" && is(r.CleanText):
		return func(c rune) bool { return cleaned(c) < 0 }
	case r.Type == "Nmt":
		return func(c rune) bool { return nmtOf(c) < 0 }
	}
	return nil
}

func (r *rule) normalizer() (func(string) string, error) {
	switch r.Type {
	case "NFC":
		return norm.NFC.String, nil
	case "NFD":
		return norm.NFD.String, nil
	case "NFKC":
		return norm.NFKC.String, nil
	case "NFKD":
		return norm.NFKD.String, nil
	case "Lowercase":
		return lower, nil
	case "Strip":
		return r.strip, nil
	case "StripAccents":
		return remover(unicode.M), nil
	case "Prepend":
		return func(s string) string {
			if s == "" {
				return s
			}
			return r.Prepend + s
		}, nil
	case "Replace":
		return r.replacer()
	case "BertNormalizer":
		return r.bert(), nil
	case "Nmt":
		return nmt, nil
	case "Precompiled":
		return precompiled(r.PrecompiledCharmap)
	}
	return nil, fmt.Errorf("normalizer %s is not supported", r.Type)
}

func (r *rule) strip(s string) string {
	if is(r.StripLeft) {
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
	}
	if is(r.StripRight) {
		s = strings.TrimRightFunc(s, unicode.IsSpace)
	}
	return s
}

// lower is Rust's char::to_lowercase: İ is the only character whose lower case has two.
func lower(s string) string {
	return strings.ReplaceAll(strings.Map(func(c rune) rune {
		if c == 'İ' {
			return c
		}
		return unicode.ToLower(c)
	}, s), "İ", "i\u0307")
}

// remover removes the characters of a table.
func remover(t *unicode.RangeTable) func(string) string {
	return func(s string) string {
		return strings.Map(func(c rune) rune {
			if unicode.Is(t, c) {
				return -1
			}
			return c
		}, s)
	}
}

func (r *rule) replacer() (func(string) string, error) {
	switch {
	case r.Pattern == nil:
		return nil, errors.New("normalizer Replace has no pattern")
	case r.Pattern.String != nil:
		return func(s string) string {
			if *r.Pattern.String == "" {
				return s
			}
			return strings.ReplaceAll(s, *r.Pattern.String, r.Content)
		}, nil
	case r.Pattern.Regex == nil:
		return nil, errors.New("normalizer Replace has a pattern of an unknown kind")
	}
	p, err := compile(*r.Pattern.Regex)
	if err != nil {
		return nil, err
	}
	return func(s string) string {
		var b strings.Builder
		// A text on which the pattern takes too long stays as it is from there on.
		_ = p.clone().each(s, func(from, to int, is bool) {
			if is {
				b.WriteString(r.Content)
			} else {
				b.WriteString(s[from:to])
			}
		})
		return b.String()
	}, nil
}

// bert is the normalizer of BERT's tokenizer.
func (r *rule) bert() func(string) string {
	lowercase, accents := is(r.Lowercase), is(r.Lowercase)
	if r.StripAccents != nil {
		accents = *r.StripAccents
	}
	marks := remover(unicode.Mn)
	return func(s string) string {
		if is(r.CleanText) {
			s = strings.Map(cleaned, s)
		}
		if is(r.HandleChineseChars) {
			s = spaceChinese(s)
		}
		if accents {
			s = marks(norm.NFD.String(s))
		}
		if lowercase {
			s = lower(s)
		}
		return s
	}
}

func cleaned(c rune) rune {
	switch {
	case c == '\t' || c == '\n' || c == '\r':
		return ' '
	case c == 0 || c == 0xfffd || unicode.In(c, unicode.Cc, unicode.Cf, unicode.Co):
		return -1
	case unicode.IsSpace(c):
		return ' '
	}
	return c
}

// spaceChinese writes spaces around the characters that BERT regards as words.
func spaceChinese(s string) string {
	var b strings.Builder
	for _, c := range s {
		if unicode.Is(chinese, c) {
			b.WriteByte(' ')
			b.WriteRune(c)
			b.WriteByte(' ')
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

var chinese = &unicode.RangeTable{R32: []unicode.Range32{
	{Lo: 0x3400, Hi: 0x4dbf, Stride: 1},
	{Lo: 0x4e00, Hi: 0x9fff, Stride: 1},
	{Lo: 0xf900, Hi: 0xfaff, Stride: 1},
	{Lo: 0x20000, Hi: 0x2a6df, Stride: 1},
	{Lo: 0x2a700, Hi: 0x2b73f, Stride: 1},
	{Lo: 0x2b740, Hi: 0x2b81f, Stride: 1},
	{Lo: 0x2b920, Hi: 0x2ceaf, Stride: 1},
	{Lo: 0x2f800, Hi: 0x2fa1f, Stride: 1},
}}

// nmt is the cleaning of SentencePiece's rule nmt_nfkc.
func nmt(s string) string { return strings.Map(nmtOf, s) }

func nmtOf(c rune) rune {
	switch {
	case c >= 1 && c <= 8, c == 0x0b, c >= 0x0e && c <= 0x1f, c == 0x7f, c == 0x8f, c == 0x9f:
		return -1
	case c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == 0x1680 || c >= 0x200b && c <= 0x200f || c == 0x2028 ||
		c == 0x2029 || c == 0x2581 || c == 0xfeff || c == 0xfffd:
		return ' '
	}
	return c
}
