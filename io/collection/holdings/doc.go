// Package holdings reads what a collection holds: its manifest, the names of its shards, and the records in them. It is
// the side of a collection that readers import; package collection writes.
//
//	f := folder.Open(ctx, "out", store)
//	all, manifest, err := holdings.Whole(f)
//	for d, err := range all.Documents(ctx) { … }
//
// It changes nothing in the folder, takes no lock, and reads one shard at a time.
package holdings
