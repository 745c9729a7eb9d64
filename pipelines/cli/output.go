package cli

import (
	"errors"
	"io/fs"
	"syscall"
)

// OutputError makes err, from opening an output folder, a UsageError if another command line would help. These are
// the given mistakes, such as a folder of another program, and names that cannot be a writable folder. Other errors,
// such as a full disk or a folder in use, stay as they are: the same command may succeed later.
func OutputError(err error, mistakes ...error) error {
	for _, m := range mistakes {
		if errors.Is(err, m) {
			return Usagef("--output: %v", err)
		}
	}
	// Which error appears depends on the system and the position in the path.
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
