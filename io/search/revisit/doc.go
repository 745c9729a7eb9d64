// Package revisit tells which capture of a collection a revisit refers to (section 6.7 of WARC/1.1, ISO 28500:2017).
//
//	w := revisit.WantedBy(d)                    // what the revisit says
//	for _, where := range w.Ways() { … }    // filters by which its original is found
//	list = w.Best(list)                     // of what was found, the best first
//
// A revisit has no body of its own, and so no title, type or language. In the shards its document says only what its
// record says. A Set has, for all revisits of a collection, what their originals have of these: whatever answers
// questions fills documents from it (index, scans of shards, SQL, pipelines), so that all have the same answer.
//
// What counts as the original, in this order: the record id that is named (WARC-Refers-To); the URL and the date that
// are named, unless its digest is another; a capture with the same payload digest, in any spelling, of the same page,
// and then of any; for an answer 304, which has no digest, the last good answer of the URL before. A capture that is
// whole comes before one that is damaged. A revisit of a revisit leads on, maxHops times at most.
package revisit
