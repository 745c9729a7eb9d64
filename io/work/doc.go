// Package work divides archives into units of work and reads the content of a unit. Planning depends only on the files'
// bytes and the unit size. The same input gives the same units, and their captures, in order, are those of an unsplit
// read.
//
//	infos, err := work.Files(ctx, store, os.Args[1:], os.Stdin, 64<<20)
//	units, err := work.Plan(ctx, store, infos, 64<<20)
//	r := work.NewReader(store, units[0], archive.Options{})
//	for item, err := range r.All(ctx) {
//		… // item.Capture, item.Reject or item.Segment
//	}
//
// Subpackage segment joins records that were written in segments, and lookup finds captures by their URLs.
//
// Of io, this wing imports archive, storage and stream. Beam and pipelines import it.
package work
