package collection

import "github.com/gleaner-web/gleaner/io/storage/folder"

// Attach returns the collection in f for a worker that finishes it. The process that planned the run has it open
// meanwhile. It takes no lock and checks nothing.
func Attach(f folder.Folder) *Collection { return &Collection{f: f} }
