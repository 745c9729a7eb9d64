//go:build !noiceberg && !local

package lake

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// gunzip decompresses up to limit bytes.
func gunzip(data []byte, limit int64) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	// One byte over the limit distinguishes data that is too large from data that just fits.
	out, err := io.ReadAll(io.LimitReader(z, limit+1))
	if err == nil && int64(len(out)) > limit {
		err = fmt.Errorf("more than %d bytes when decompressed", limit)
	}
	return out, err
}

// gzipped compresses data. The same data always gives the same bytes.
func gzipped(data []byte) ([]byte, error) {
	var out bytes.Buffer
	// The gzip header has no time and no name unless they are set.
	z := gzip.NewWriter(&out)
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
