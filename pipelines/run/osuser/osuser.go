// Package osuser gives a process a name and a home when nobody has: in a container whose user has no entry in
// /etc/passwd, as that of our image, of a cluster that chooses numbers (OpenShift), or of a child process whose
// environment is empty.
//
// It is imported for its init alone, and imports nothing but os on purpose. Beam (v2.77) asks for the user while its
// package expansionx is initialised, takes no answer for granted, and panics, so that not even --help is printed. Go
// initialises packages in the order of their paths, each as soon as what it imports is. What expansionx asks with,
// os/user, stands after this package in that order, so that the answer is there in time. Where a program is built
// with cgo, the system's library is asked, which does not look at the environment: our releases and images are built
// without.
package osuser

import (
	"os"
	"strconv"
)

// No error is looked at: a process that cannot set a variable is as well off as before.
func init() {
	if os.Getenv("USER") == "" {
		_ = os.Setenv("USER", "uid-"+strconv.Itoa(os.Getuid()))
	}
	// Nothing is written there; Beam makes a name of it for files that it would fetch for other languages.
	if os.Getenv("HOME") == "" {
		_ = os.Setenv("HOME", os.TempDir())
	}
}
