// Package claim marks a folder as ours and keeps other runs out of it. A process has a lock, and a job that outlives it
// has a note. Generations stop workers of earlier runs. Collections, conversions, corpora, file sets and Source DBs use
// it alike.
//
//	claimed, err := claim.Marker{…}.Claim(f)
//	err = claimed.Begin(ended)
//	worker := claimed.Generation().Guard(f) // in workers: writes fail after another run has begun
//	err = claimed.Close()
package claim
