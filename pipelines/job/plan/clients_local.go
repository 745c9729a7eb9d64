//go:build local

package plan

import (
	"context"
	"errors"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

func planTopic(_ context.Context, url string, _ map[string]string) ([]schemas.Unit, map[string]string, error) {
	return nil, nil, cli.Usagef("%s: %s", url, cli.LeftOut)
}

func generationOf(context.Context, string) (string, error) { return "", errors.New(cli.LeftOut) }
