// Package shard writes the shards of a unit and commits them with the unit's row. It also writes the shared shards of
// compactions, and copies shards.
//
//	w, err := shard.NewWriter(f, unit, key, shard.Options{})
//	// w.Document, w.Reject, w.Feed, w.CDX …
//	result, err := w.Commit(counts, ledger.Note{})
//
// A unit is committed in two steps: its files, complete and on disk under temporary names, are renamed; then its row is
// written. Two workers may do the same unit at once: their bytes are the same, so either may win.
package shard
