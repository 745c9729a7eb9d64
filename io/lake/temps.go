package lake

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// sweepTemps removes temporary files in metadata/ of processes of this machine that are no longer there, as after a
// kill. Others may be committing at the moment; of a process of another machine, on a shared disk, a file would be one
// of those that Expire leaves for a day.
func (t *Table) sweepTemps() error {
	if blob.IsRemote(t.f.Path("")) {
		return nil // objects appear whole
	}
	names, err := t.f.Names(metadataDir)
	if err != nil {
		return fmt.Errorf("lake: %w", err)
	}
	for _, name := range names {
		m := tempPattern.FindStringSubmatch(name)
		if m == nil || runs(m[1]) {
			continue
		}
		if err := t.f.Remove(metadataDir + "/" + name); err != nil {
			return fmt.Errorf("lake: %w", err)
		}
	}
	return nil
}

// runs reports whether a process may be there.
func runs(pid string) bool {
	n, err := strconv.Atoi(pid)
	if err != nil || n <= 0 {
		return true
	}
	p, err := os.FindProcess(n)
	if err != nil {
		return false
	}
	// Signal 0 only asks. Elsewhere than on Unix nobody can be asked so, and the file stays.
	err = p.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}
