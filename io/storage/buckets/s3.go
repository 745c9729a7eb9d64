//go:build !local && !nos3

package buckets

import _ "github.com/gleaner-web/gleaner/io/storage/s3"
