package parquetfile

import (
	"fmt"

	kzstd "github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// codec is parquet-go's zstd with our own encoder. The encoder keeps less history, because pages are small and the
// default takes 16 MB an encoder. It adds a checksum to each frame, so that damaged pages are noticed.
type codec struct {
	zstd.Codec // decoder, and the format's name for it
	encoder    *kzstd.Encoder
}

// window is the size of the history in bytes: it holds most pages whole.
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
