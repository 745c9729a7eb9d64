package cli

import (
	"errors"
	"io/fs"
	"syscall"
)

// OutputError makes a UsageError of an error from opening an output folder if another command line would help: the
// error is one of mistakes, such as a folder of another program, or the name is a file, is beneath a file, or cannot be
// written to. Other errors stay as they are: a full disk, and a folder that another run is writing to. The same command
// succeeds later, so that they end with ExitFailed.
func OutputError(err error, mistakes ...error) error {
	for _, m := range mistakes {
		if errors.Is(err, m) {
			return Usagef("--output: %v", err)
		}
	}
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
