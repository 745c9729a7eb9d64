//go:build unix

package tagger

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/internal/cputime"
)

// BenchmarkTag_pages tags the main text of real pages, one per operation. It reports how many tokens are read in a
// second of CPU time, user and system, since the machine may be busy. The benchmark "fields" only splits the same
// texts at white space, which shows the speed of the machine.
func BenchmarkTag_pages(b *testing.B) {
	texts := pages(b, 200)
	tokens := make([]int, len(texts))
	for i, text := range texts {
		tokens[i] = countTokens(text)
	}
	run := func(name string, f func(text string)) {
		b.Run(name, func(b *testing.B) {
			for _, text := range texts {
				f(text)
			}
			b.ReportAllocs()
			done, i := 0, 0
			start := cputime.Self()
			for b.Loop() {
				f(texts[i%len(texts)])
				done += tokens[i%len(texts)]
				i++
			}
			b.ReportMetric(float64(done)/(cputime.Self()-start).Seconds(), "tokens/cpu-s")
		})
	}
	t := New(Options{})
	var mentions []Mention
	run("tag", func(text string) { mentions = t.Tag(text, "en", mentions[:0]) })
	run("fields", func(text string) {
		for range strings.FieldsSeq(text) {
		}
	})
}

// BenchmarkTag_languages tags the sentences of testdata/languages, a document per operation. A token is a word or sign,
// and in Chinese and Japanese a character.
func BenchmarkTag_languages(b *testing.B) {
	for language := range languages {
		b.Run(language, func(b *testing.B) {
			documents := readLanguage(b, language)
			t := New(Options{})
			var mentions []Mention
			tokens := make([]int, len(documents))
			for i, d := range documents {
				mentions = t.Tag(d.text, language, mentions[:0])
				if tokens[i] = countTokens(d.text); language == "zh" || language == "ja" {
					tokens[i] = utf8.RuneCountInString(d.text)
				}
			}
			b.ReportAllocs()
			done, i := 0, 0
			start := cputime.Self()
			for b.Loop() {
				mentions = t.Tag(documents[i%len(documents)].text, language, mentions[:0])
				done += tokens[i%len(documents)]
				i++
			}
			b.ReportMetric(float64(done)/(cputime.Self()-start).Seconds(), "tokens/cpu-s")
		})
	}
}
