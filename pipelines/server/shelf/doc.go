// Package shelf keeps the collections that a server shows open: it watches their folders, brings their indexes up to
// date in the background, and gives out what is there at the moment.
//
//	s, err := shelf.Open(ctx, []string{"out"}, store, shelf.Options{})
//	defer s.Close()
//	now, release, ok := s.Find("out").Hold()
//	defer release()
//	n, err := now.DB.Count(ctx, q)
//
// A Snapshot is the collection as one manifest says it is. A run that goes on in another process becomes visible when
// it has finished: the folder is looked at every Options.Poll. Nothing here writes to a collection but its index.
package shelf
