// Package crawl visits the feeds of a Source DB that are due, fetches the pages of their new items, and keeps all of it
// as WARC files, politely: a host is sent one request at a time, robots.txt and what servers ask for is obeyed.
//
//	c, err := crawl.New(options)
//	c.Fill(book)                             // what earlier rounds have come to
//	err = c.Load(ctx, folder, db, book)      // which feeds are due, and which pages are captured already
//	err = shelf.Replay(last, c.Replay)       // what this round has done before it was killed
//	err = c.Run(ctx)
//
// # What is remembered
//
// All that is decided follows from three things: the Source DB, the book, and the journal. The book (see [Book]) is
// what the crawler keeps between rounds: validators, when a feed is due, what robots.txt said, pages that are still
// to be fetched. The journal are the WARC files of the round that is under way: they hold every answer, and every
// failure to get one. So a round that was killed goes on by reading its own journal: each answer is applied as it
// was when it came, and nothing but what was under way is lost. At the end of a round the WARC files are ingested,
// the Source DB is updated, and the book replaces the journal.
//
// # One sequence
//
// Answers are written, then applied, one after the other: the journal has the sequence in which a process that goes on
// applies them again. By the machine's clock that is the sequence in which they come. By a simulated clock it is that
// of their requests; nothing that an answer brings about is due at the moment of the answer, but later, so that such a
// clock gives the same WARC files each time.
//
// The network is that of package fetch.
package crawl
