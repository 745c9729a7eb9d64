// Package care changes finished collections: it compacts, merges, adopts, takes pages down, and verifies. Each task is
// a function over an open Collection, which it changes by replacing the manifest. It can be repeated after a crash.
//
//	c, err := collection.Open(f, collection.OpenOptions{})
//	done, err := care.Compact(ctx, c, care.CompactOptions{})
//	entries, err := care.TakeDown(ctx, c, entries, nil)
package care
