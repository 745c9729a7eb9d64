package langid

import (
	"cmp"
	"math"
)

// Unknown is the code of a language that the models do not know: BCP 47 for undetermined.
const Unknown = "und"

// levels are what the letters of a text score on average, in nats, where it is in the language that is likeliest. Of
// languages that are not here it is usualLevel. They are the medians of the tuning half of NTREX-128.
var levels = map[string]float64{
	"af": 6.22, "ar": 5.99, "az": 6.48, "be": 6.27, "bg": 6.38, "bs": 6.22, "ca": 6.29, "cs": 6.20, "cy": 6.15,
	"da": 6.24, "de": 6.44, "en": 6.31, "es": 6.33, "et": 6.34, "eu": 6.45, "fa": 5.91, "fi": 6.51, "fr": 6.31,
	"ga": 6.28, "hi": 4.82, "hr": 6.25, "hu": 6.48, "id": 6.49, "is": 6.33, "it": 6.35, "kk": 6.48, "lt": 6.30,
	"lv": 6.32, "mi": 6.21, "mk": 6.36, "mn": 6.43, "mr": 4.75, "ms": 6.49, "nb": 6.16, "nl": 6.37, "nn": 6.15,
	"pl": 6.41, "pt": 6.33, "ro": 6.22, "ru": 6.38, "sk": 6.27, "sl": 6.26, "sn": 6.52, "so": 6.30, "sq": 6.25,
	"sr": 6.17, "sv": 6.24, "sw": 6.36, "tl": 6.41, "tn": 6.25, "tr": 6.42, "uk": 6.29, "ur": 5.77, "vi": 5.72,
	"xh": 6.46, "yo": 5.49, "zu": 6.47,
}

const (
	usualLevel = 6.3
	// A text is in no known language when its letters score less than the level by levelSlack, and by levelNoise over
	// the square root of their number, and by levelNames for all of them: a short one may be mostly names.
	levelSlack = 0.35
	levelNoise = 4.0
	levelNames = 18.0
)

// isForeign reports whether the sample is in none of the languages, although l is the likeliest.
func (s *sample) isForeign(l int) bool {
	table, letters := models(), float64(s.letters)
	level := cmp.Or(levels[table.Languages[l].Code], usualLevel)
	return float64(s.scores[l])*table.Step < letters*(level-levelSlack)-levelNoise*math.Sqrt(letters)-levelNames
}
