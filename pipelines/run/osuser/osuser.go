// Package osuser gives a process USER and HOME if nothing else does. They are missing in a child with an empty
// environment, and in containers whose user has no entry in /etc/passwd. Examples are our image, and clusters that
// choose user numbers (OpenShift).
//
// Import it for its init. It deliberately imports only os and strconv. Beam (v2.77) asks for the user while package
// expansionx initializes, and panics without one, so that even --help fails. Go initializes packages in the order of
// their paths, as soon as their imports are done, and os/user, which expansionx uses, comes after this package. With
// cgo, os/user ignores the environment: our releases and images are built without.
package osuser

import (
	"os"
	"strconv"
)

// Errors are ignored: without the variable, things are as they were.
func init() {
	if os.Getenv("USER") == "" {
		_ = os.Setenv("USER", "uid-"+strconv.Itoa(os.Getuid()))
	}
	// Nothing is written there: Beam makes a file name of it for other languages.
	if os.Getenv("HOME") == "" {
		_ = os.Setenv("HOME", os.TempDir())
	}
}
