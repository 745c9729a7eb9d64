package parquetfile

import (
	"fmt"

	kzstd "github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// codec is parquet-go's zstd with one encoder of our own, which keeps less history (pages are small, and the default
// costs 16 MB an encoder) and adds the frame's checksum, so that a damaged page is noticed.
type codec struct {
	zstd.Codec // decoding, and what the format calls it
	encoder    *kzstd.Encoder
}

// window is the history in bytes: most pages whole.
const window = 512 << 10

func newCodec() (*codec, error) {
	e, err := kzstd.NewWriter(nil, kzstd.WithEncoderConcurrency(1), kzstd.WithWindowSize(window),
		kzstd.WithZeroFrames(true))
	if err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	return &codec{encoder: e}, nil
}

// Encode compresses src to dst.
func (c *codec) Encode(dst, src []byte) ([]byte, error) {
	return c.encoder.EncodeAll(src, dst[:0]), nil
}
