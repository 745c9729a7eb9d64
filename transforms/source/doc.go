// Package source describes sources: feeds that publish pages. It keeps the state of a source over many crawls. From
// it, it derives the source's frequency, the time of the next visit, whether it is real and alive, and its topics.
//
// A State is a join-semilattice: bounded sets under total orders, without counters and running means. So Merge is
// commutative, associative and idempotent: any order of crawls, any tree of merges and any repeat gives equal bytes.
// Everything else is a pure function of a state and a time, so a better rule needs no new crawl.
//
//	state := source.Merge(before, now)
//	pace := source.PaceOf(state.Dates(), time.Time{}, asOf)
//	next := source.Policy{}.Interval(pace, state.LastVisit())
//
// The package does no input or output, and uses neither a clock nor Beam. The estimators and the policy were chosen by
// simulation on recorded timelines of real feeds. The figures are in docs/sources.md; .tools/refresh reproduces them.
package source
