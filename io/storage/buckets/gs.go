//go:build !local

package buckets

import _ "github.com/gleaner-web/gleaner/io/storage/gs"
