package plan

import (
	"context"
	"errors"
	"slices"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// inputError makes err, about an input that the command names, a usage error, unless the run was interrupted.
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

// ErrNothingThere means that folders and patterns match no file, and nothing else is wrong. It is also a UsageError:
// most likely a mistake, unless the user waits for archives to arrive.
var ErrNothingThere = errors.New("nothing to read is there")

// nothingThere is a UsageError that matches ErrNothingThere.
type nothingThere struct{ error }

func (nothingThere) Is(target error) bool { return target == ErrNothingThere }

func (e nothingThere) Unwrap() error { return e.error }

// onlyEmpty reports whether all errors joined in err are blob.ErrEmpty.
func onlyEmpty(err error) bool {
	if list, joined := err.(interface{ Unwrap() []error }); joined {
		return !slices.ContainsFunc(list.Unwrap(), func(e error) bool { return !onlyEmpty(e) })
	}
	return errors.Is(err, blob.ErrEmpty)
}
