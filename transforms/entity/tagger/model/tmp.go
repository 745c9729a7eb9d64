package model

// Tables returns the tables of l.
func (l *Lexicon) Tables() (words, phrases, coarse []byte) { return l.words, l.phrases, l.coarse }
