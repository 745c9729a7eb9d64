package job

import (
	"context"
	"errors"
	"slices"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// inputError is an error of what the command names: a usage error, unless it only says that the run was
// interrupted.
func inputError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	usage := cli.Usagef("%v", err)
	if onlyEmpty(err) {
		return nothingThere{usage}
	}
	return usage
}

// ErrNothingThere is a plan of folders and patterns that come to no file, and nothing else is wrong. It is a UsageError
// as well: that is most likely a mistake, unless somebody waits for archives to come.
var ErrNothingThere = errors.New("nothing to read is there")

// nothingThere is a UsageError that is ErrNothingThere.
type nothingThere struct{ error }

func (nothingThere) Is(target error) bool { return target == ErrNothingThere }

func (e nothingThere) Unwrap() error { return e.error }

// onlyEmpty reports whether all errors that are joined in err say that nothing is there.
func onlyEmpty(err error) bool {
	if list, joined := err.(interface{ Unwrap() []error }); joined {
		return !slices.ContainsFunc(list.Unwrap(), func(e error) bool { return !onlyEmpty(e) })
	}
	return errors.Is(err, blob.ErrEmpty)
}
