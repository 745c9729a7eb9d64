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
	// One byte more than is allowed tells too much from just enough.
	out, err := io.ReadAll(io.LimitReader(z, limit+1))
	if err == nil && int64(len(out)) > limit {
		err = fmt.Errorf("more than %d bytes when decompressed", limit)
	}
	return out, err
}

// gzipped compresses. The same data gives the same bytes.
func gzipped(data []byte) ([]byte, error) {
	var out bytes.Buffer
	// Its header has neither a time nor a name as long as nobody sets them.
	z := gzip.NewWriter(&out)
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
