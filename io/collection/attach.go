package collection

import "github.com/gleaner-web/gleaner/io/storage/folder"

// Attach returns the collection in f for a worker that finishes it while another process, the one that planned the
// run, has it open. It takes no lock and checks nothing.
func Attach(f folder.Folder) *Collection { return &Collection{f: f} }
