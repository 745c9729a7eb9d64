// Package source is what Gleaner knows of sources: feeds that publish pages. It holds the state of a source as crawl
// after crawl adds to it, and all that follows from a state: how often it publishes, when to come again, whether it is
// real, alive, and what it is about.
//
// A State is a join-semilattice: bounded sets under total orders, no counters and no running means. So Merge is
// commutative, associative and idempotent, and any order of crawls, any tree of merges and any repeat gives equal
// bytes. Everything else is a pure function of a state and of a moment, so a better rule needs no other crawl.
//
//	state := source.Merge(before, now)
//	pace := source.PaceOf(state.Dates(), time.Time{}, asOf)
//	next := source.Policy{}.Interval(pace, state.LastVisit())
//
// The package does no input or output and knows no clock and no Beam. The estimators and the policy were chosen by
// simulation on recorded timelines of real feeds: docs/sources.md has the figures, .tools/refresh makes them again.
package source
