//go:build !noiceberg && !local

package lake

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// sweepTemps removes temporary files in metadata/ of processes of this machine that have ended, for example after a
// kill. Running processes may be committing. On a shared disk, Expire removes such files of other machines after a day.
func (t *Table) sweepTemps() error {
	if blob.IsRemote(t.f.Path("")) {
		return nil // objects appear whole
	}
	names, err := t.f.Names(metadataDir)
	if err != nil {
		return fmt.Errorf("lake: %w", err)
	}
	for _, name := range names {
		m := tempPattern().FindStringSubmatch(name)
		if m == nil || runs(m[1]) {
			continue
		}
		if err := t.f.Remove(metadataDir + "/" + name); err != nil {
			return fmt.Errorf("lake: %w", err)
		}
	}
	return nil
}

// runs reports whether a process may be running.
func runs(pid string) bool {
	n, err := strconv.Atoi(pid)
	if err != nil || n <= 0 {
		return true
	}
	p, err := os.FindProcess(n)
	if err != nil {
		return false
	}
	// Signal 0 only tests. On other systems than Unix the test is not possible, and the file stays.
	err = p.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}
