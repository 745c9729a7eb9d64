package member

// plainDecoder hands an uncompressed file through as one member, to the file's end: where the range ends, a record
// has to be looked behind.
type plainDecoder struct{ in *input }

func (d *plainDecoder) open() bool { return true }

func (d *plainDecoder) gap() (int64, error) { return 0, nil }

func (d *plainDecoder) read(p []byte) (int, error) { return d.in.br.Read(p) }
