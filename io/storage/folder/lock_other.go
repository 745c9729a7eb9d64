//go:build !unix

package folder

import "os"

// locks says that lock keeps nobody out.
const locks = false

// nonblock is of no use here: files of a folder are not pipes.
const nonblock = 0

// lock cannot tell here whether another run is at work: on these systems that is for the user to see to.
func lock(*os.File) error { return nil }

// alive cannot tell here whether a process is there.
func alive(int) bool { return true }

// share cannot keep a file either.
func share(*os.File) error { return nil }

// openOwn cannot tell here whose a folder is.
func openOwn(string) (*os.File, error) { return nil, os.ErrInvalid }
