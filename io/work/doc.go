// Package work divides archives into units of work and reads a unit's captures. Planning depends on the files' bytes
// and the unit size alone: the same input gives the same units, and the units' captures, in order, are those of an
// unsplit read.
//
//	infos, err := work.Files(ctx, store, os.Args[1:], os.Stdin, 64<<20)
//	units, err := work.Plan(ctx, store, infos, 64<<20)
//	r := work.NewReader(store, units[0], archive.Options{})
//	for c, err := range r.All(ctx) {
//		…
//	}
//
// It is the wing of work; its other room is segment, which joins records that were written in segments.
package work
