package collection

// commit is the last part of a change; each of its steps can be repeated. Without index and compaction it only writes
// the manifest.
type commit struct {
	Manifest   string      `json:"manifest"`           // SHA-256 of the next manifest
	Running    bool        `json:"running,omitempty"`  // value of Running in the note that remains
	Index      string      `json:"index,omitempty"`    // temporary name of the next index; "" if it does not change
	NoIndex    bool        `json:"no_index,omitempty"` // the index is removed
	Compaction *Compaction `json:"compaction,omitempty"`
}
