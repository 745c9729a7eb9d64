// Package holdings reads collections: the manifest, the names of shards, and the records in them. Package collection
// writes them.
//
//	f := folder.Open(ctx, "out", store)
//	all, manifest, err := holdings.Whole(f)
//	for d, err := range all.Documents(ctx) { … }
//
// It changes nothing in the folder, takes no lock, and reads one shard at a time.
package holdings
