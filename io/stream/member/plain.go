package member

import "io"

// plainDecoder hands an uncompressed file through as one member, to the file's end: where the range ends, a record
// has to be looked after.
type plainDecoder struct{ in *input }

func (d *plainDecoder) open() bool { return true }

func (d *plainDecoder) gap() (int64, error) { return 0, nil }

func (d *plainDecoder) append(dst []byte) ([]byte, error) {
	// Straight from the file: nothing is decoded, and the buffer would only be a copy.
	n := d.in.readAt(dst[len(dst):cap(dst)], d.in.pos())
	d.in.skip(int64(n))
	if n == 0 && len(dst) < cap(dst) {
		return dst, io.EOF // or an error of the file, for which the reader asks
	}
	return dst[:len(dst)+n], nil
}
