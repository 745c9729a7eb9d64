// Package collection keeps the folder that a pipeline writes: the shards of its units, what is known of each finished
// unit, and the manifest. It makes runs restartable: kill the process at any moment, start it again, and the folder
// ends as after one clean run.
//
//	documents-00017-of-00240.jsonl.zst   one line a document         (also .parquet, when asked for)
//	texts-00017-of-00240.warc.wet.gz     a conversion record for the main text of each document   (when asked for)
//	rejects-00017-of-00240.jsonl.zst     one line for what could not be read or enriched
//	feeds-00017-of-00240.jsonl.zst       one line for each feed that is captured or announced   (when asked for)
//	captures-00017-of-00240.cdxj.gz      the index of the archives
//	documents-joined.jsonl.zst           likewise of records that were joined from segments, when there are any
//	index.cdxj                           all these lines in one sorted file   (when asked for)
//	manifest.json                        written last: a folder that has one is a finished run
//	report.json                          what the last run measured: nobody depends on it, and it is different each time
//	.gleaner/                            marker, lock, and one row <key>.json for each finished unit
//
// What it does not do: it plans no units and reads no archives, and it knows nothing of Beam. The folder is on a local
// disk or in an object store: see package folder. The naming is that of Beam's and Hadoop's file sinks
// (name-SSSSS-of-NNNNN); the layout is Gleaner's own.
//
// A unit is committed by renaming its files, which were complete and on disk under hidden temporary names, and then
// writing its row. Two workers may do the same unit at once: their bytes are the same, so either may win.
//
//	f := folder.Open(ctx, "out", store)
//	c, err := collection.Open(f, collection.OpenOptions{})
//	todo, done, err := c.Resume(units, keys, fresh)
//	for _, u := range todo { // on any number of machines
//		w, err := collection.NewWriter(f, u, len(units), keys[u.ID], collection.Options{})
//		// w.Document, w.Reject, w.Feed, w.CDX …
//		result, err := w.Commit(counts, collection.Note{})
//		done = append(done, result)
//	}
//	manifest, err := c.Finish(done, collection.Run{Units: len(units)})
//
// It is the top of the wing of what is written; its rooms are parquetfile, which writes documents as Parquet, and
// conversion, the folder that archives are converted to.
package collection
