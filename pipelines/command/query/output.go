package query

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// output is where the answer goes. A file appears only when it is complete.
type output struct {
	*bufio.Writer
	std  *stdout     // nil for a file
	file dump.Output // nil for standard output
}

// errPipe means that the reader of standard output has closed it.
var errPipe = errors.New("query: nobody reads the answer any longer")

// checkOutput refuses to replace what the same question cannot restore: archives, and files of folders that other
// commands wrote. Other files are replaced, as by the shell.
func checkOutput(name string) error {
	info, err := os.Stat(name)
	// Other errors appear when the file is written; pipes and devices hold nothing.
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return nil
	}
	if info.IsDir() {
		return cli.Usagef("--output=%s: a folder is there; name a file", name)
	}
	dir, base := filepath.Split(name)
	if _, err := os.Lstat(filepath.Join(dir, ".gleaner")); err == nil && ofCommands().MatchString(base) {
		return cli.Usagef("--output=%s: it is a file of a folder that another command wrote; name another", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil // replacing a file needs no permission to read it
	}
	defer func() { _ = f.Close() }() // nothing was written
	format, err := archive.Detect(name, f, info.Size())
	if err == nil && slices.Contains([]string{"warc", "arc", "wacz"}, format.Name) {
		return cli.Usagef("--output=%s: an archive is there; name another file, or remove it first", name)
	}
	return nil
}

// ofCommands matches the names of files of other commands: shards with a key or a number, compressed files, and a few
// fixed names. Only archives among answers are compressed.
var ofCommands = pattern.Lazy(`-[0-9a-f]{12,}\.|-[0-9]{5}(-of-[0-9]{5})?\.|\.(gz|zst|bin|db)$` +
	`|^(manifest|report|graph)\.json$|^README\.md$|^index\.cdxj$`)

// openOutput opens a file, or standard output for "".
func openOutput(name string) (*output, error) {
	if name == "" {
		std := &stdout{}
		return &output{Writer: bufio.NewWriterSize(std, 64<<10), std: std}, nil
	}
	f, err := dump.CreateFile(name)
	if err != nil {
		return nil, fmt.Errorf("--output: %w", err)
	}
	return &output{Writer: bufio.NewWriterSize(f, 64<<10), file: f}, nil
}

// Close completes the answer and gives a file its name.
func (o *output) Close() error {
	err := o.Flush()
	// On an error the file stays set, so that Abort removes it.
	if o.file == nil || err != nil {
		return err
	}
	file := o.file
	// Abort does nothing from here on.
	o.file = nil
	return file.Close()
}

// begun reports whether a part of the answer was sent.
func (o *output) begun() bool { return o.std != nil && o.std.begun }

// Abort removes an incomplete file. After Close it does nothing.
func (o *output) Abort() {
	if o.file != nil {
		o.file.Abort()
		o.file = nil
	}
}

// stdout is standard output, whose reader may close it.
type stdout struct{ begun bool }

// Write returns errPipe if the reader has closed standard output.
func (s *stdout) Write(p []byte) (int, error) {
	s.begun = true
	n, err := os.Stdout.Write(p)
	// Without a listener for SIGPIPE, Go ends the process on a broken pipe of descriptor 1: see os/signal.
	if errors.Is(err, syscall.EPIPE) {
		err = errPipe
	}
	return n, err
}
