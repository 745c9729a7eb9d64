// Package extract is the command that makes documents of pages on standard input, without archives and folders. One
// process answers many requests of a program in any language: a line of JSON for each line of JSON, in the same order.
package extract

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"os"

	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/io/child/plug"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// Verb is the command.
var Verb = cli.Verb{
	Name: "extract", Brief: "make documents of pages on standard input",
	Flags: func(set *flag.FlagSet) *cli.Flags { return newFlags(set, new(config)) },
	Do:    extract,
}

// extract is the command. It returns the exit code and an error to show.
func extract(ctx context.Context, args []string) (code int, err error) {
	c, err := parse(args)
	defer plug.CloseAll()
	if err != nil {
		return cli.ExitUsage, err
	}
	enricher, err := enrich.New(c.options)
	if err != nil {
		return cli.ExitUsage, cli.Usagef("%v", err)
	}
	docsandbox.Main() // documents such as PDF are read in child processes
	documents, err := docsandbox.New(c.workers)
	if err != nil {
		return cli.ExitFailed, err
	}
	defer documents.Close()
	enricher.ReadDocumentsBy(documents.Read)
	enricher.ReadPicturesBy(documents.Examine)
	s := stream{
		in: bufio.NewReaderSize(work.Until(ctx, os.Stdin), 64<<10), out: bufio.NewWriterSize(os.Stdout, 64<<10),
		limit: int(c.maxLine), workers: c.workers, make: enricher.Document,
	}
	faulty, err := s.copy()
	switch {
	case ctx.Err() != nil:
		return cli.ExitFailed, context.Cause(ctx)
	case err != nil:
		return cli.ExitFailed, errors.Join(err, documents.Err())
	case faulty > 0:
		return cli.ExitLosses, documents.Err()
	}
	return cli.ExitDone, documents.Err()
}
