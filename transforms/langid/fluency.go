package langid

// Fluency is how much a text looks like writing in its most likely language.
type Fluency struct {
	Code    string  // the language
	Letters int     // how many were read; 0 for scripts that no model covers
	Ahead   float64 // how much more likely each letter is than in usual text of that language, in nats
	Words   int     // words read
	Known   int     // of these, frequent words of the language
}

// fluencyLetters is the number of letters that FluencyOf reads.
const fluencyLetters = 1200

// FluencyOf measures a text, such as the text of a scanned page. Text that a program recognised badly, or decoded
// wrongly, has letters that its language does not put next to each other. It reads the main script alone.
func FluencyOf(text string) Fluency {
	var letters counter
	for start := 0; start < len(text); {
		var line counter
		start = line.measure(text, start)
		letters.add(&line)
	}
	c := letters.script()
	if letters.letters == 0 || !c.isShared() {
		return Fluency{}
	}
	s := scorers.Get().(*scorer)
	defer scorers.Put(s)
	read := s.score(models(), text, c, fluencyLetters)
	if read.letters == 0 {
		return Fluency{}
	}
	best := read.best(c, nil)
	f := Fluency{Code: models().Languages[best].Code, Letters: read.letters, Ahead: read.ahead(best)}
	words := new(sample).addWords(text[:min(len(text), 4*fluencyLetters)])
	f.Words, f.Known = words.words, words.frequent[best]
	return f
}
