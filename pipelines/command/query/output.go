package query

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/shape"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// output is where the answer goes. What is written to a file is there when it is whole, or not at all.
type output struct {
	*bufio.Writer
	std    *stdout      // nil for a file
	file   shape.Output // nil for standard output
	folder *shape.Folder
}

// errPipe is standard output that nobody reads any longer.
var errPipe = errors.New("query: nobody reads the answer any longer")

// checkOutput refuses to replace what cannot be had again by the same question: archives, and files of folders that
// commands write and come back to. Other files are replaced, as by the shell.
func checkOutput(name string) error {
	info, err := os.Stat(name)
	// What else is wrong with a name is found when it is written to; pipes and devices hold nothing.
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return nil
	}
	if info.IsDir() {
		return cli.Usagef("--output=%s: a folder is there; name a file", name)
	}
	dir, base := filepath.Split(name)
	if _, err := os.Lstat(filepath.Join(dir, ".gleaner")); err == nil && ofCommands.MatchString(base) {
		return cli.Usagef("--output=%s: it is a file of a folder that another command wrote; name another", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil // it may be replaced all the same: that takes no leave to read
	}
	defer func() { _ = f.Close() }() // nothing was written to it
	format, err := archive.Detect(name, f, info.Size())
	if err == nil && slices.Contains([]string{"warc", "arc", "wacz"}, format.Name) {
		return cli.Usagef("--output=%s: an archive is there; name another file, or remove it first", name)
	}
	return nil
}

// ofCommands are the names that other commands give to what they keep in a folder: shards, which end in the digits of
// their unit or in their number, all that is compressed, and the few that are called the same in each folder. No answer
// is compressed but archives, and a user who calls one so has other names left.
var ofCommands = regexp.MustCompile(`-[0-9a-f]{12,}\.|-[0-9]{5}(-of-[0-9]{5})?\.|\.(gz|zst|bin|db)$` +
	`|^(manifest|report|graph)\.json$|^README\.md$|^index\.cdxj$`)

// openOutput opens a file, or standard output for the empty name.
func openOutput(name string) (*output, error) {
	if name == "" {
		std := &stdout{}
		return &output{Writer: bufio.NewWriterSize(std, 64<<10), std: std}, nil
	}
	dir, err := shape.OpenFolder(filepath.Dir(name))
	if err != nil {
		return nil, fmt.Errorf("--output: %w", err)
	}
	// It is written under another name until Close.
	f, err := dir.Create(filepath.Base(name))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("--output: %w", err), dir.Close())
	}
	return &output{Writer: bufio.NewWriterSize(f, 64<<10), file: f, folder: dir}, nil
}

// Close ends the answer: from now on a file has its name.
func (o *output) Close() error {
	err := o.Flush()
	// The file stays set on an error, so that the caller's Abort removes it.
	if o.file == nil || err != nil {
		return err
	}
	file := o.file
	// Aborting does nothing from here on, whatever Close says.
	o.file = nil
	return errors.Join(file.Close(), o.folder.Close())
}

// begun reports whether anybody has a part of the answer.
func (o *output) begun() bool { return o.std != nil && o.std.begun }

// Abort leaves no file. It does nothing after Close, so that it can be deferred.
func (o *output) Abort() {
	if o.file != nil {
		o.file.Abort()
		_ = o.folder.Close() // nothing was written to it
		o.file = nil
	}
}

// stdout is standard output, whose reader may go.
type stdout struct{ begun bool }

// Write writes, or is errPipe.
func (s *stdout) Write(p []byte) (int, error) {
	s.begun = true
	n, err := os.Stdout.Write(p)
	// Go turns a broken pipe on descriptor 1 into SIGPIPE, which ends the process, unless somebody listens for that
	// signal: see os/signal.
	if errors.Is(err, syscall.EPIPE) {
		err = errPipe
	}
	return n, err
}
