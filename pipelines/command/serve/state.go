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

// The files of a folder of state.
const (
	accountsFile = "accounts.db"
	jobsDir      = "jobs"
	exportsDir   = "exports"
	lockFile     = "lock"
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
	// By the first collection, so that servers of different collections on one machine have different
	// states, and the same command line finds its own again.
	first := collections[0]
	if !blob.IsRemote(first) {
		// The same folder has the same state from wherever the command is called.
		if first, err = filepath.Abs(first); err != nil {
			return "", err
		}
	}
	// A path is no name of a folder; 48 bits tell the few of one user apart.
	sum := sha256.Sum256([]byte(first))
	return filepath.Join(base, "gleaner", "serve-"+hex.EncodeToString(sum[:6])), nil
}

// openState opens the folder of state for a server.
func openState(ctx context.Context, c config, store *blob.Store) (s *state, err error) {
	s = &state{dir: c.state}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	// For its owner alone: logs of jobs and exports hold what only users of the server may see.
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return s, cli.Usagef("--state: %v", err)
	}
	// The lock before everything else: the queue goes on with jobs that it finds unfinished, and two
	// servers would both. "serve user" takes no lock, as SQLite has its own.
	s.lock, err = folder.Open(ctx, s.dir, nil).Lock(lockFile)
	if errors.Is(err, folder.ErrBusy) {
		return s, cli.Usagef("another server has %s: end it, or name another folder by --state", s.dir)
	}
	if err != nil {
		return s, fmt.Errorf("--state: %w", err)
	}
	if !c.open {
		if s.accounts, err = account.Open(ctx, filepath.Join(s.dir, accountsFile)); err != nil {
			return s, err
		}
	}
	// From here on jobs run, also those that an earlier server has left.
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
	// Jobs first, as they write to what is closed next; the lock last, when nothing of ours is open
	// any more.
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

// asJob, in the environment, says that the process is to do a command for a server, whatever program it is.
const asJob = "GLEANER_JOB"

// program is this very program, told to do a command.
func program(verb string, args []string) *exec.Cmd {
	// The running file, also where it was started by a relative path and the folder has changed since.
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	cmd := exec.Command(self, append([]string{verb}, args...)...)
	// The environment goes along: credentials of buckets are there.
	cmd.Env = append(os.Environ(), asJob+"=1")
	return cmd
}
