package member

import "io"

// plainDecoder hands an uncompressed range through as one member.
type plainDecoder struct {
	in  *input
	end int64
}

func (d *plainDecoder) open() bool { return true }

func (d *plainDecoder) gap() (int64, error) { return 0, nil }

func (d *plainDecoder) read(p []byte) (int, error) {
	left := d.end - d.in.pos()
	if left <= 0 {
		return 0, io.EOF
	}
	return d.in.br.Read(p[:min(int64(len(p)), left)])
}
