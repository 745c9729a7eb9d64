package collection

// commit is the last part of a change, each step of which may be done again. Without an index and a compaction it is
// the writing of the manifest alone.
type commit struct {
	Manifest   string      `json:"manifest"`           // SHA-256 of the next one
	Running    bool        `json:"running,omitempty"`  // as in the note that is left
	Index      string      `json:"index,omitempty"`    // temporary name of the next index; "" when it stays
	NoIndex    bool        `json:"no_index,omitempty"` // the index goes
	Compaction *Compaction `json:"compaction,omitempty"`
}
