package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/server/account"
	"github.com/gleaner-web/gleaner/pipelines/server/jobs"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
)

// Names in the folder; they are not to change, or accounts would be lost.
// The files of a folder of state.
const (
	accountsFile = "accounts.db"
	jobsDir      = "jobs"
	exportsDir   = "exports"
	lockFile     = "lock"
	// Of archives, as WASAPI tells them; made again where it is missing.
	checksumsFile = "checksums.json"
)

// state is what a server keeps: accounts, jobs, exports, the index of the Source DB. One server has it at a time.
type state struct {
	dir      string
	lock     io.Closer
	accounts *account.Store // nil where there are none
	jobs     *jobs.Queue
	sources  *shelf.Sources // nil where no Source DB was named
}

// stateDir is the folder of state of a server of these collections, where none was named.
func stateDir(collections []string) (string, error) {
	base, err := os.UserConfigDir()
	if err != nil {
		return "", cli.Usagef("--state: name a folder: %v", err)
	}
	// The flag has a default, and may be given without a value.
	if len(collections) == 0 {
		return "", cli.Usagef("--collection: name a collection")
	}
	first := collections[0]
	if !blob.IsRemote(first) {
		// Absolute, so that the same collection has the same state wherever the server is started.
		if first, err = filepath.Abs(first); err != nil {
			return "", err
		}
	}
	// 48 bits of a hash: long enough for one user's collections, short enough to type.
	sum := sha256.Sum256([]byte(first))
	return filepath.Join(base, "gleaner", "serve-"+hex.EncodeToString(sum[:6])), nil
}

// openState opens the folder of state for a server.
func openState(ctx context.Context, c config, store *blob.Store) (s *state, err error) {
	s = &state{dir: c.state}
	// What was opened before the failure is closed again.
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return s, cli.Usagef("--state: %v", err)
	}
	// Jobs and accounts of two servers would mix; the lock ends with the process.
	s.lock, err = folder.Open(ctx, s.dir, nil).Lock(lockFile)
	if errors.Is(err, folder.ErrBusy) {
		return s, fmt.Errorf("another server has %s: end it, or name another folder by --state", s.dir)
	}
	if err != nil {
		return s, fmt.Errorf("--state: %w", err)
	}
	// On loopback there are none, and the file is not made.
	if !c.open {
		if s.accounts, err = account.Open(ctx, filepath.Join(s.dir, accountsFile)); err != nil {
			return s, err
		}
	}
	// After the lock: opening continues with jobs of a server that was killed.
	if s.jobs, err = jobs.Open(filepath.Join(s.dir, jobsDir), jobs.Options{Program: program}); err != nil {
		return s, err
	}
	if c.sources != "" {
		s.sources, err = shelf.OpenSources(ctx, c.sources, s.dir, store, shelf.Options{})
	}
	return s, err
}

// close closes what is open.
func (s *state) close() error {
	var err error
	// Jobs first, as they may still write; the lock last, so that nobody comes in before all is
	// closed.
	if s.jobs != nil {
		err = s.jobs.Close()
	}
	if s.sources != nil {
		err = errors.Join(err, s.sources.Close())
	}
	if s.accounts != nil {
		err = errors.Join(err, s.accounts.Close())
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	return err
}

// asJob, in the environment, says that the process is to do a command for a server, whatever program it is. It is set
// for the child only, and tells Main and the program of all commands apart from a user's call.
const asJob = "GLEANER_JOB"

// program is this very program, told to do a command.
func program(verb string, args []string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		// Where the system does not tell, the name that this program was called by.
		self = os.Args[0]
	}
	// Started without a shell: arguments are not read again by anybody.
	cmd := exec.Command(self, append([]string{verb}, args...)...)
	cmd.Env = append(os.Environ(), asJob+"=1")
	return cmd
}
