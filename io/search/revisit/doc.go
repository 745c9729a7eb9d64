// Package revisit finds the capture of a collection to which a revisit refers (section 6.7 of WARC/1.1, ISO
// 28500:2017).
//
//	w := revisit.WantedBy(d)                // what the revisit says
//	for _, where := range w.Ways() { … }    // filters that find its original
//	list = w.Best(list)                     // of the found captures, the best first
//
// A revisit has no body of its own, and so no title, type or language. In the shards its document only has the fields
// of its record. A Set has these values of the originals for all revisits of a collection. Everything that answers
// queries (index, scans of shards, SQL, pipelines) fills documents from it, so that all give the same answers.
//
// A capture counts as the original for one of these reasons, the strongest first:
//
//   - the revisit names its record ID (WARC-Refers-To);
//   - the revisit names its URL and date, and the digests do not contradict;
//   - it has the same payload digest, in any spelling, and is of the same page;
//   - it has the same payload digest and is of another page;
//   - for a 304 response (also by its profile), which has no digest, it is the last successful response before.
//
// An undamaged capture is preferred to a damaged one. A revisit of a revisit is followed, at most maxHops times.
package revisit
