package plan

import (
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// OutputError makes err a usage error if the folder cannot be used, as opposed to a disk that fails.
func OutputError(err error) error {
	return cli.OutputError(err, collection.ErrForeign)
}
