// Package shelf keeps the collections of a server open. It watches their folders, updates their indexes in the
// background, and returns their current state.
//
//	s, err := shelf.Open(ctx, []string{"out"}, store, shelf.Options{})
//	defer s.Close()
//	now, release, ok := s.Find("out").Hold()
//	defer release()
//	n, err := now.DB.Count(ctx, q)
//
// A Snapshot is the collection as described by one manifest. A run in another process becomes visible when it has
// finished: the folder is checked every Options.Poll. The package writes nothing to a collection but its index.
package shelf
