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
	"github.com/gleaner-web/gleaner/pipelines/server/saved"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
)

// The files of a folder of state. Renaming them would lose accounts.
const (
	accountsFile = "accounts.db"
	jobsDir      = "jobs"
	exportsDir   = "exports"
	lockFile     = "lock"
	sqlDir       = "sql" // temporary files of statements
	// Checksums of archives for WASAPI, made again if missing.
	checksumsFile = "checksums.json"
	savedFile     = "saved.json"
)

// state is what a server keeps: accounts, jobs, exports, the index of the Source DB. One server at a time has it.
type state struct {
	dir      string
	lock     io.Closer
	accounts *account.Store // nil without accounts
	jobs     *jobs.Queue
	saved    *saved.Store
	sources  *shelf.Sources // nil without a Source DB
}

// stateDir returns the default folder of state for a server of these collections.
func stateDir(collections []string) (string, error) {
	base, err := os.UserConfigDir()
	if err != nil {
		return "", cli.Usagef("--state: name a folder: %v", err)
	}
	if len(collections) == 0 {
		return "", cli.Usagef("--collection: name a collection")
	}
	first := collections[0]
	if !blob.IsRemote(first) {
		// An absolute name gives a collection the same state wherever the server starts.
		if first, err = filepath.Abs(first); err != nil {
			return "", err
		}
	}
	// 48 bits of a hash are enough for a user's collections, and short to type.
	sum := sha256.Sum256([]byte(first))
	return filepath.Join(base, "gleaner", "serve-"+hex.EncodeToString(sum[:6])), nil
}

func openState(ctx context.Context, c config, store *blob.Store) (s *state, err error) {
	s = &state{dir: c.state}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return s, cli.Usagef("--state: %v", err)
	}
	// Jobs and accounts of two servers would mix. The lock ends with the process.
	s.lock, err = folder.Open(ctx, s.dir, nil).Lock(lockFile)
	if errors.Is(err, folder.ErrBusy) {
		return s, fmt.Errorf("another server has %s: end it, or name another folder by --state", s.dir)
	}
	if err != nil {
		return s, fmt.Errorf("--state: %w", err)
	}
	// A killed server has left temporary files.
	if err := os.RemoveAll(filepath.Join(s.dir, sqlDir)); err != nil {
		return s, fmt.Errorf("--state: %w", err)
	}
	// Servers on loopback have no accounts.
	if !c.open {
		if s.accounts, err = account.Open(ctx, filepath.Join(s.dir, accountsFile)); err != nil {
			return s, err
		}
	}
	// After the lock: opening continues the jobs of a killed server.
	if s.jobs, err = jobs.Open(filepath.Join(s.dir, jobsDir), jobs.Options{Program: program}); err != nil {
		return s, err
	}
	if s.saved, err = saved.Open(filepath.Join(s.dir, savedFile)); err != nil {
		return s, err
	}
	if c.sources != "" {
		s.sources, err = shelf.OpenSources(ctx, c.sources, s.dir, store, shelf.Options{})
	}
	return s, err
}

func (s *state) close() error {
	var err error
	// Jobs first, as they may still write; the lock last.
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

// program returns a command that runs this program with a verb.
func program(verb string, args []string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		// Without the path, use the name by which it was called.
		self = os.Args[0]
	}
	// No shell, so arguments are not interpreted.
	cmd := exec.Command(self, append([]string{verb}, args...)...)
	cmd.Env = append(os.Environ(), cli.AsJob+"=1")
	return cmd
}
