package run

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	archives "github.com/gleaner-web/gleaner/io/work"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// Stdin handles the argument "-" by the content of standard input: it notes an archive in o and returns a list. Call
// release after the run.
func Stdin(ctx context.Context, args []string, runner string,
	o *blob.Options,
) (list io.Reader, release func(), err error) {
	if !slices.Contains(args, "-") {
		return nil, func() {}, nil
	}
	in, list, release, err := archives.Stdin(ctx, os.Stdin)
	// The user may interrupt while typing the list.
	switch {
	case ctx.Err() != nil:
		return nil, func() {}, ctx.Err()
	case err != nil:
		return nil, func() {}, err
	case in.Path == "":
		return list, release, nil
	// The copy is in this machine's temporary folder.
	case !Alone(runner):
		release()
		return nil, func() {}, cli.Usagef("an archive on standard input is read by this process alone, "+
			"and --runner=%s has others: write it to a file", runner)
	}
	slog.Info(fmt.Sprintf("standard input is an archive of %s, kept in %s while the run lasts; in records its name is %s",
		cli.FormatBytes(in.Size), os.TempDir(), in.Name))
	o.Stdin = in
	return nil, release, nil
}
