package tagger

import (
	"embed"
	"strings"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
	"github.com/gleaner-web/gleaner/transforms/packed"
)

// files are the models of the languages other than English, by ISO 639-1 codes. The command names makes them, and
// pack compresses them; see docs/names.md.
//
//go:embed languages/*.bin.zst
var files embed.FS

// languages has the function that returns the model of a language. It is decoded for the first text.
var languages = func() map[string]func() *model.Linear {
	entries, err := files.ReadDir("languages")
	if err != nil {
		panic("tagger: " + err.Error()) // the program was built without them
	}
	m := map[string]func() *model.Linear{}
	for _, e := range entries {
		code := strings.TrimSuffix(e.Name(), ".bin.zst")
		m[code] = sync.OnceValue(func() *model.Linear {
			file, err := files.ReadFile("languages/" + code + ".bin.zst")
			if err != nil {
				panic("tagger: " + err.Error())
			}
			l, err := model.DecodeLinear(packed.Must(file))
			if err != nil {
				panic("tagger: " + code + ": " + err.Error()) // the trainer did not write the embedded file
			}
			return l
		})
	}
	return m
}()

// Covers reports whether the tagger finds names in texts of a language, given by its ISO 639-1 code.
func Covers(language string) bool {
	language = strings.ToLower(language)
	return language == english || languages[language] != nil
}
