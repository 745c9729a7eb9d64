package sandcrawler

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5/pgconn"
)

// pending selects a page of requests without a result, after the key of the last one. The members of the column request
// come first, so that columns override members with the same name.
const pending = `SELECT r.link_source, r.link_source_id, r.base_url,
	coalesce(r.request, '{}') || jsonb_strip_nulls(jsonb_build_object('ingest_type', r.ingest_type, 'base_url', r.base_url,
		'link_source', r.link_source, 'link_source_id', r.link_source_id, 'ingest_request_source', r.ingest_request_source,
		'release_stage', r.release_stage))
	FROM ingest_request r
	WHERE r.ingest_type = $1 AND (r.link_source, r.link_source_id, r.base_url) > ($2, $3, $4)
		AND NOT EXISTS (SELECT FROM ingest_file_result f WHERE f.ingest_type = r.ingest_type AND f.base_url = r.base_url)
	ORDER BY r.link_source, r.link_source_id, r.base_url LIMIT 1000`

// Requests yields the requests of a type, such as dataset, that have no result yet, as JSON, in the order of their
// keys. It reads a thousand at a time, so that a request that gets a result in the meantime may be among them or not.
func (t *Tables) Requests(ctx context.Context, kind string) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		// The table's checks exclude empty keys, so that all keys are greater than three empty texts.
		after := [3]string{}
		for {
			var rows [][][]byte
			// A page is read to its end before any of it is yielded, so that a repeated attempt yields nothing twice.
			err := t.pool.Try(ctx, t.patience, func(c *pgconn.PgConn) error {
				values := [][]byte{[]byte(kind), []byte(after[0]), []byte(after[1]), []byte(after[2])}
				r := c.ExecParams(ctx, pending, values, nil, nil, nil).Read()
				rows = r.Rows
				return r.Err
			})
			if err != nil {
				yield(nil, fmt.Errorf("requests: %w", err))
				return
			}
			for _, r := range rows {
				if !yield(json.RawMessage(r[3]), nil) {
					return
				}
				// By key and not by OFFSET: added or finished rows do not move the next page.
				after = [3]string{string(r[0]), string(r[1]), string(r[2])}
			}
			// It does not stop at a short page: another query is cheap, and the limit stays in one place.
			if len(rows) == 0 {
				return
			}
		}
	}
}
