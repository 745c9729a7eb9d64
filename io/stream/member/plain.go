package member

import "io"

// plainDecoder passes an uncompressed file through as one member, to the file's end. At the range's end the caller has
// to look for a record.
type plainDecoder struct{ in *input }

func (d *plainDecoder) open() bool { return true }

func (d *plainDecoder) gap() (int64, error) { return 0, nil }

func (d *plainDecoder) append(dst []byte) ([]byte, error) {
	// Straight from the file: nothing is decoded, and the buffer would only add a copy.
	n := d.in.readAt(dst[len(dst):cap(dst)], d.in.pos())
	d.in.skip(int64(n))
	if n == 0 && len(dst) < cap(dst) {
		return dst, io.EOF // or an error of the file, which the reader tests
	}
	return dst[:len(dst)+n], nil
}
