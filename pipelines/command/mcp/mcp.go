// Package mcp is the command that answers an assistant on standard input and output, by the Model Context Protocol.
//
// It is only the command line; package pipelines/server/mcp does the work. See docs/mcp.md.
package mcp

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/gleaner-web/gleaner/io/search/meaningmodel"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/server/mcp"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/statement"
	"github.com/gleaner-web/gleaner/pipelines/server/view"

	// The buckets that collections lie in.
	_ "github.com/gleaner-web/gleaner/io/storage/buckets"
)

// Verb is the command.
var Verb = cli.Verb{
	Name: "mcp", Brief: "answer an assistant about collections (Model Context Protocol)",
	Flags: func(set *flag.FlagSet) *cli.Flags { return newFlags(set, new(config)) },
	Do:    answer,
}

// memoryLimit is a soft limit in bytes for the garbage collector.
const memoryLimit = 448 << 20

// answer is the command. It returns the exit code and an error to show.
func answer(ctx context.Context, args []string) (code int, err error) {
	c, err := parse(args)
	if err != nil {
		return cli.ExitUsage, err
	}
	// Standard output carries the protocol alone, whatever another package may print.
	out := os.Stdout
	os.Stdout = os.Stderr
	cli.SetMemoryLimit(memoryLimit)
	store := blob.New(blob.Options{UserAgent: "gleaner"})
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := c.missing(); err != nil {
		return cli.ExitUsage, err
	}
	books, err := shelf.Open(ctx, c.collections, store, shelf.Options{NoIndex: c.noIndex, Meaning: c.meaning})
	if err != nil {
		return cli.ExitUsage, cli.Usagef("--collection: %v", err)
	}
	defer func() { err = errors.Join(err, books.Close()) }()
	temp, err := os.MkdirTemp("", "gleaner-mcp")
	if err != nil {
		return cli.ExitFailed, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	o := view.Options{
		Replay: c.replay, Store: store, Archives: c.archives,
		Statements: statement.New(statement.Options{Program: program, Temp: filepath.Join(temp, "sql")}),
	}
	if c.sources != "" {
		if o.Sources, err = shelf.OpenSources(ctx, c.sources, temp, store, shelf.Options{}); err != nil {
			return cli.ExitUsage, cli.Usagef("--sources: %v", err)
		}
		defer func() { err = errors.Join(err, o.Sources.Close()) }()
	}
	for _, name := range c.collections {
		slog.Info("answering about", "collection", name)
	}
	s := mcp.New(view.New(books, o), mcp.Options{Version: cli.Release})
	err = s.Serve(ctx, os.Stdin, out)
	// An assistant ends the command by closing its input, or by a signal.
	if err != nil && ctx.Err() == nil {
		return cli.ExitFailed, fmt.Errorf("the connection to the assistant ended: %w", err)
	}
	return cli.ExitDone, nil
}

// missing returns an error for a folder that does not exist: an assistant could not say so as clearly.
func (c *config) missing() error {
	for _, name := range c.collections {
		if blob.IsRemote(name) {
			continue
		}
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return cli.Usagef("there is no folder %s: name one that ingest has written (--output)", name)
		} else if err != nil {
			return cli.Usagef("--collection: %v", err)
		}
	}
	if err := meaningmodel.Check(c.meaning); err != nil {
		return cli.Usagef("--meaning: %v", err)
	}
	return nil
}

// program returns a command that runs this program with a verb.
func program(verb string, args []string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0] // the name by which it was called
	}
	// No shell, so arguments are not interpreted.
	cmd := exec.Command(self, append([]string{verb}, args...)...)
	cmd.Env = append(os.Environ(), cli.AsJob+"=1")
	return cmd
}
