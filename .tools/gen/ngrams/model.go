package main

import (
	"archive/zip"
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/langid/ngram"
	"github.com/pemistahl/lingua-go/serialization"
	"google.golang.org/protobuf/proto"
)

const (
	step = 0.1 // nats
	// unseen is minus the log likelihood of a letter after two that it never follows in a language. On the tuning
	// half of NTREX-128, values from 8 to 12 are equally good.
	unseen = 8.0
	// backOff is the cost of predicting a letter from two others instead of three, tuned in the same way over 0, 1
	// and 2.
	backOff = 1.0
	// prune is the least weight of a four-letter n-gram in the table. It drops a quarter of all weights without worse
	// answers.
	prune = 1.0
	// rare is the least effect of a four-letter n-gram in the table on the likelihood of a random letter of its language.
	// The effect is its weight in nats times its own likelihood. It drops a third of all weights. On the tuning half of
	// NTREX-128, no accuracy differs by more than .0005.
	rare = 1.2e-7
)

// scripts are the alphabets that several languages share, with their languages.
var scripts = []struct {
	table     *unicode.RangeTable
	languages string
}{
	{unicode.Latin, "af az bs ca cs cy da de en eo es et eu fi fr ga hr hu id is it la lg lt lv mi ms nb nl nn pl pt ro " +
		"sk sl sn so sq sr-Latn st sv sw tl tn tr ts vi xh yo zu"},
	{unicode.Cyrillic, "be bg kk mk mn ru sr uk"},
	{unicode.Arabic, "ar fa ur"},
	{unicode.Devanagari, "hi mr"},
}

// biases are added to a language's score for each letter, in nats. They correct near-identical languages, of which
// the one with more n-grams would win too often. They were tuned on the tuning half of NTREX-128.
var biases = map[string]float64{
	"bs": 0.02, "hr": -0.02, "nb": -0.06, "da": -0.03, "sr-Latn": 0.03, "xh": 0.02,
	"zu": -0.02,
}

// languages returns all languages of the table, by script.
func languages() []ngram.Language {
	var all []ngram.Language
	for i, s := range scripts {
		for code := range strings.FieldsSeq(s.languages) {
			all = append(all, ngram.Language{Code: code, Script: i, Bias: biases[code]})
		}
	}
	return all
}

// model has the log likelihood of each n-gram's last letter in a language.
type model struct {
	language uint8
	script   int
	logs     map[string]float64
}

// readModel reads the model of a language from a file for each order.
func readModel(folder, code string) (model, error) {
	m := model{logs: map[string]float64{}}
	if code == "sr-Latn" {
		serbian, err := readModel(folder, "sr")
		return serbian.inLatin(), err
	}
	for _, order := range []string{"unigrams", "bigrams", "trigrams", "quadrigrams"} {
		name := filepath.Join(folder, code, order+".pb.bin.zip")
		sets, err := readSets(name)
		if err != nil {
			return m, fmt.Errorf("%s: %w", name, err)
		}
		for _, set := range sets {
			for _, letters := range set.Ngrams {
				m.logs[letters] = math.Log(set.Probability)
			}
		}
	}
	return m, nil
}

// readSets reads an archive with one message.
func readSets(name string) (sets []*serialization.SerializableNgramSet, err error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, z.Close()) }()
	if len(z.File) != 1 {
		return nil, fmt.Errorf("%d files, not one", len(z.File))
	}
	f, err := z.File[0].Open()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	var message serialization.SerializableLanguageModel
	if err := proto.Unmarshal(data, &message); err != nil {
		return nil, err
	}
	return message.NgramSets, f.Close()
}

// alphabets returns the letters of each script in Unicode order. They are the likeliest letters in any of its
// languages, up to the maximum.
func alphabets(models []model) []string {
	likelihood := make([]map[rune]float64, len(scripts))
	for i := range likelihood {
		likelihood[i] = map[rune]float64{}
	}
	for _, m := range models {
		for letters, log := range m.logs {
			r := []rune(letters)
			if known := likelihood[m.script]; len(r) == 1 && unicode.Is(scripts[m.script].table, r[0]) {
				known[r[0]] = max(known[r[0]], math.Exp(log))
			}
		}
	}
	var all []string
	for _, known := range likelihood {
		letters := slices.SortedFunc(maps.Keys(known), func(a, b rune) int {
			return cmp.Or(cmp.Compare(known[b], known[a]), cmp.Compare(a, b))
		})
		letters = letters[:min(len(letters), ngram.MaxLetters)]
		slices.Sort(letters)
		all = append(all, string(letters))
	}
	return all
}

// appendPostings appends the weights of the language's n-grams that are within the alphabet.
func (m *model) appendPostings(postings []ngram.Posting, alphabet string) []ngram.Posting {
	numbers := map[rune]uint8{}
	for _, letter := range alphabet {
		numbers[letter] = uint8(len(numbers) + 1)
	}
	for letters, log := range m.logs {
		key, order := ngram.Key(0), 0
		for _, letter := range letters {
			if numbers[letter] == 0 {
				order = 0
				break
			}
			key = key.Append(numbers[letter])
			order++
		}
		if weight := m.weight(letters, log, order); weight != 0 {
			postings = append(postings, ngram.Posting{Key: key, Language: m.language, Weight: weight})
		}
	}
	return postings
}

// before returns the log likelihood of the letters before an n-gram's last one.
func (m *model) before(letters string) (sum float64) {
	for i := range letters {
		if i > 0 {
			sum += m.logs[letters[:i]]
		}
	}
	return sum
}

// weight returns the weight of an n-gram of order letters, in steps.
func (m *model) weight(letters string, log float64, order int) int8 {
	weight := log + unseen
	if order == 0 {
		return 0
	}
	if order == ngram.MaxOrder {
		_, first := utf8.DecodeRuneInString(letters)
		shorter, ok := m.logs[letters[first:]]
		if !ok {
			shorter = -unseen
		}
		weight = log - shorter + backOff
		if math.Abs(weight) < prune || math.Abs(weight)*math.Exp(m.before(letters)+log) < rare {
			return 0
		}
	}
	return int8(math.Round(min(max(weight/step, math.MinInt8), math.MaxInt8)))
}
