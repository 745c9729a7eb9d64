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

// Stdin sees what standard input is when an argument names it by "-": an archive, which is noted in o, or a list, which
// is returned. release is called when the run is over.
// Which of the two it is, its content tells.
func Stdin(ctx context.Context, args []string, runner string,
	o *blob.Options,
) (list io.Reader, release func(), err error) {
	if !slices.Contains(args, "-") {
		return nil, func() {}, nil
	}
	in, list, release, err := archives.Stdin(ctx, os.Stdin)
	// An interrupt may come while somebody types the list.
	switch {
	case ctx.Err() != nil:
		return nil, func() {}, ctx.Err()
	case err != nil:
		return nil, func() {}, err
	case in.Path == "":
		return list, release, nil
	// The copy is in this machine's folder for temporary files.
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
