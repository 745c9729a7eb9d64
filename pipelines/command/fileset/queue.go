//go:build !local

package fileset

import (
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/io/sink/postgres"
	"github.com/gleaner-web/gleaner/io/sink/sandcrawler"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// topic yields the present messages of a topic, partition by partition.
func topic(ctx context.Context, url string, properties map[string]string) iter.Seq2[said, error] {
	return func(yield func(said, error) bool) {
		units, _, err := kafka.Plan(ctx, url, properties, 0)
		if err != nil {
			yield(said{at: place{file: url}}, cli.Usagef("--requests: %v", err))
			return
		}
		for _, u := range units {
			for m, err := range kafka.NewReader(u, properties, archive.Options{}).Texts(ctx) {
				at := place{file: m.File, offset: m.Offset, bytes: int64(len(m.Value))}
				if err == nil && m.Value == nil {
					continue // a tombstone, which deletes its key
				}
				if !yield(said{m.Value, at}, err) || err != nil {
					return
				}
			}
		}
	}
}

// pending yields the requests for datasets without a result in a Sandcrawler database.
func pending(ctx context.Context, url string) iter.Seq2[said, error] {
	return func(yield func(said, error) bool) {
		c := postgres.Config{URL: url}
		tables, err := sandcrawler.OpenTables(ctx, c)
		if err != nil {
			yield(said{at: place{file: "postgres"}}, errors.New(strings.Replace(err.Error(), "--postgres", "--requests", 1)))
			return
		}
		defer func() { _ = tables.Close() }() // nothing was written
		at := place{file: "postgres"}
		for request, err := range tables.Requests(ctx, "dataset") {
			at.bytes = int64(len(request))
			if !yield(said{request, at}, err) || err != nil {
				return
			}
			at.offset++ // counts requests, since rows have no other number
		}
	}
}
