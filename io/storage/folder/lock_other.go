//go:build !unix

package folder

import "os"

// locks is false: lock excludes nobody.
const locks = false

// nonblock has no use here: files of a folder are not pipes.
const nonblock = 0

// lock cannot detect another run on these systems; the user has to.
func lock(*os.File) error { return nil }

// alive cannot test here whether a process exists.
func alive(int) bool { return true }

// share cannot protect a file either.
func share(*os.File) error { return nil }

// openOwn cannot test here whose a folder is.
func openOwn(string) (*os.File, error) { return nil, os.ErrInvalid }
