package cli

import (
	"errors"
	"io/fs"
	"syscall"
)

// OutputError makes a UsageError of what opening an output folder ended with, if the folder's name is at fault: one
// that is a file or beneath one, may not be written to, or is none that a file system has. Other errors, such as a full
// disk, stay as they are.
func OutputError(err error) error {
	// Which of these comes depends on the system, and on the folder's place in the path.
	for _, wrong := range []error{
		fs.ErrPermission, syscall.ENOTDIR, syscall.EEXIST, syscall.EISDIR, syscall.EROFS, syscall.ENAMETOOLONG, syscall.ELOOP,
		syscall.EINVAL, fs.ErrNotExist,
	} {
		if errors.Is(err, wrong) {
			return Usagef("--output: %v; name a folder that can be made and written to", err)
		}
	}
	return err
}
