package job

import (
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// outputError makes err a usage error if the folder cannot be used, as opposed to a disk that fails.
func outputError(err error) error {
	return cli.OutputError(err, collection.ErrForeign)
}
