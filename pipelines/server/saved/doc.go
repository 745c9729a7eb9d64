// Package saved keeps what users save on a server: searches, and when archives came into its collections.
//
//	s, err := saved.Open("state/saved.json")
//	one, err := s.Add(saved.Owner{Name: "ada"}, saved.Search{Name: "Harbour", Collection: "out", Query: "query=harbour"})
//	s.Arrived("out", 1, time.Now(), []string{"a.warc.gz"})
//
// A capture is as new as its archive: each time that new archives are seen is a batch, with a number. Only packages of
// the server import this package.
package saved
