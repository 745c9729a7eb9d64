// Package crawl visits the due feeds of a Source DB, fetches the pages of their new items, and stores everything as
// WARC files. It is polite: a host gets one request at a time, and the crawl obeys robots.txt and servers' requests.
//
//	c, err := crawl.New(options)
//	c.Fill(book)                             // what earlier rounds have come to
//	err = c.Load(ctx, folder, db, book)      // which feeds are due, and which pages are captured already
//	err = shelf.Replay(last, c.Replay)       // what this round has done before it was killed
//	err = c.Run(ctx)
//
// # State
//
// All decisions follow from three things: the Source DB, the book, and the journal. The book (see [Book]) is kept
// between rounds: validators, due times of feeds, robots.txt files, and pages to fetch. The journal is the WARC files
// of the current round, with every answer and every fault. A killed round continues by reading its own journal: it
// applies each answer again, and only loses requests under way. At the end of a round, the WARC files are ingested, the
// Source DB is updated, and the book replaces the journal.
//
// # One sequence
//
// Answers are written and then applied, one after the other, so that the journal has the sequence in which a later
// process applies them. By the machine's clock they are applied as they come. By a simulated clock they are applied in
// the order of requests. Since an answer only makes later jobs due, such a clock gives the same WARC files each time.
//
// Package fetch does the networking.
package crawl
