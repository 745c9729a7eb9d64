package claim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// CheckFree returns ErrBusy while another run writes to the folder. It changes nothing.
func CheckFree(f folder.Folder) error {
	names, err := f.Names(holdings.HiddenDir)
	if err != nil || !slices.Contains(names, lockFile) {
		return err
	}
	lock, err := f.Lock(holdings.Hidden(lockFile))
	if errors.Is(err, folder.ErrBusy) {
		return fmt.Errorf("%w (%w)", ErrBusy, err)
	}
	if err != nil {
		return err
	}
	return lock.Close()
}
