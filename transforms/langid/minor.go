package langid

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/langid/ngram"
	"github.com/gleaner-web/gleaner/transforms/packed"
)

// minor.bin.zst is made as .tools/gen/minor says, from packages that a script downloads.
//
//go:embed minor.bin.zst
var minorData string

// minorModels is the table of smaller languages. It also has some languages of the large table, learnt from the same
// kind of text as the smaller ones. They are witnesses: if one is likelier than all smaller languages, the text is in
// none of these.
var minorModels = sync.OnceValue(func() *ngram.Table {
	table, err := ngram.Open(packed.Must(minorData))
	if err != nil {
		panic("langid: " + err.Error()) // the embedded file is corrupt
	}
	return table
})

// unsure are languages of the table of which fewer than 95 in 100 lines are recognised, or for which no text was left
// to test. A text that is most like one of them is left to the large table.
var unsure = strings.Fields("ace bar bxr ceb crh hil ia io kab kv kw li lmo min myv nap pam sco son udm vo " +
	"vro wa war xal")

// minorGates bound the scores of texts that are compared with the smaller languages, in nats a letter above the level
// of their best large language. Most texts of a large language score more than minorGate. Languages with near
// relatives among the smaller ones have bounds of their own: Galician scores in Spanish nearly as high as Spanish.
var minorGates = map[string]float64{
	"ca": 0.3, "es": 0.3, "pt": 0.3, "eo": 0, "ga": 0, "is": -0.1, "it": -0.3, "id": -0.1, "ms": -0.1,
	"st": -0.1, "tl": 0, "tn": -0.1, "xh": 0, "zu": 0,
}

// draws are languages that texts in unknown relatives are taken for, and whose own texts score more:
// Kafa and Sidamo for Oromo, Niuean for Tongan.
var draws = strings.Fields("ban bcl ilo jv om ss to")

const (
	// minorLetters is the number of letters that a text needs.
	minorLetters = 50
	// A short text may have names, so its bound is lower by minorNames divided by the number of letters.
	minorGate  = -0.42
	minorNames = 10.0
	// minorLook is the number of letters compared first. If a witness is ahead by witnessNats, that is enough.
	minorLook   = 80
	witnessNats = 10.0
	// minorLevel is the least score of a letter, in nats: texts in unknown languages score less. It is drawnLevel for
	// languages that draws names.
	minorLevel = 5.1
	drawnLevel = 5.5
	// A smaller language must score more than the best large one by leadNats divided by the number of letters. If that
	// one is a witness, the lead over the witness is added. A smaller language has fewer texts to learn from than a large
	// one, and as many as a witness. So their sum must be at least witnessedLead, and witnessedNats divided by the number
	// of letters. All were chosen on NTREX-128 and on messages that were not learnt from.
	leadNats      = 8.0
	witnessedLead = -0.05
	witnessedNats = 14.0
	// A text of less than shortLetters may be mostly names, and needs shortLead and shortLevel.
	shortLetters = 100
	shortLead    = 0.5
	shortLevel   = 5.8
)

// minor returns the smaller language of windows with its confidence, or "" if a language of the large table is
// likelier. Parameter large holds the scores of the windows in the large table.
func (p *passage) minor(large *sample, windows []*window) (code string, confidence float64) {
	if p.script != latin && p.script != cyrillic || large.letters < minorLetters {
		return "", 0
	}
	best := large.best(p.script, nil)
	gate, ok := minorGates[models().Languages[best].Code]
	if !ok {
		gate = minorGate
	}
	if large.ahead(best) > gate-minorNames/float64(large.letters) {
		return "", 0
	}
	if s := p.minorSample(windows, minorLook/len(windows)); s.isWitness(p.script) {
		return "", 0
	}
	s := p.minorSample(windows, math.MaxInt)
	return s.judge(p.script, large, best)
}

// minorSample compares the windows with the smaller languages, up to most letters of each.
func (p *passage) minorSample(windows []*window, most int) *minorSample {
	of := scorers.Get().(*scorer)
	defer scorers.Put(of)
	var all minorSample
	for _, w := range windows {
		told := of.score(minorModels(), p.text[w.start:w.end], p.script, min(w.look, most))
		(*sample)(&all).add(&told)
	}
	return &all
}

// A minorSample is a sample compared with the table of smaller languages.
type minorSample sample

// ahead returns how much more likely language a is than b, in nats a letter.
func (s *minorSample) ahead(a, b int) float64 {
	return float64(s.scores[a]-s.scores[b]) * minorModels().Step / float64(s.letters)
}

// best returns the likeliest language of a script among the witnesses or the smaller languages, or -1.
func (s *minorSample) best(c script, witnesses bool) int {
	best := -1
	for i, l := range minorModels().Languages {
		_, isLarge := languageNumbers()[l.Code]
		if l.Script == c.tableScript() && isLarge == witnesses && (best < 0 || s.scores[i] > s.scores[best]) {
			best = i
		}
	}
	return best
}

// isWitness reports whether a witness is clearly ahead of the smaller languages, or no letter is known.
func (s *minorSample) isWitness(c script) bool {
	if s.letters == 0 {
		return true
	}
	return s.ahead(s.best(c, true), s.best(c, false))*float64(s.letters) > witnessNats
}

// judge returns the smaller language that is likelier than language best, and the witnesses.
func (s *minorSample) judge(c script, large *sample, best int) (code string, confidence float64) {
	table := minorModels()
	first, witness := s.best(c, false), s.best(c, true)
	code, rival := table.Languages[first].Code, models().Languages[best].Code
	if s.ahead(witness, first) > 0 || slices.Contains(unsure, code) {
		return "", 0
	}
	// Both scores are means of the letters that the table knows.
	level := float64(s.scores[first]) * table.Step / float64(s.letters)
	lead := level - float64(large.scores[best])*models().Step/float64(large.letters)
	least := leadNats / float64(s.letters)
	floor := minorLevel
	if slices.Contains(draws, code) {
		floor = drawnLevel
	}
	if level < floor || s.letters < shortLetters && level < shortLevel {
		return "", 0
	}
	w := slices.IndexFunc(table.Languages, func(l ngram.Language) bool { return l.Code == rival })
	if w >= 0 {
		lead, least = lead+s.ahead(first, w), witnessedLead+witnessedNats/float64(s.letters)
	}
	if s.letters < shortLetters {
		least = max(least, shortLead)
	}
	if lead < least {
		return "", 0
	}
	return code, 1 / (1 + math.Exp(-lead*float64(s.letters)/temperature))
}
