package collection

// Attach returns the collection in dir for a worker that finishes it while another process, the one that planned the
// run, has it open. It takes no lock and checks nothing.
func Attach(dir string) *Collection { return &Collection{dir: dir} }
