package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// pack sends data through a compressor.
func pack(data []byte, open func(io.Writer) (io.WriteCloser, error)) ([]byte, error) {
	var b bytes.Buffer
	w, err := open(&b)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func gzipped(data []byte) ([]byte, error) {
	return pack(data, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestCompression) })
}

// compress applies a content coding of RFC 9110, section 8.4.1. Its deflate is the zlib format; "raw" is what many
// servers send by that name: a deflate stream without its wrapping.
func compress(coding string, data []byte) ([]byte, error) {
	switch coding {
	case "gzip":
		return gzipped(data)
	case "deflate":
		return pack(data, func(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriter(w), nil })
	case "raw":
		return pack(data, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	case "br":
		return pack(data, func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriterLevel(w, 6), nil })
	case "zstd":
		return pack(data, func(w io.Writer) (io.WriteCloser, error) {
			return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		})
	}
	return nil, fmt.Errorf("unknown coding %q", coding)
}

// chunked applies the transfer coding of RFC 9112, section 7.1, in chunks of 1,000 bytes, one of them with an
// extension.
func chunked(data []byte) []byte {
	var b bytes.Buffer
	extension := ";part=first"
	for len(data) > 0 {
		n := min(1000, len(data))
		fmt.Fprintf(&b, "%x%s\r\n%s\r\n", n, extension, data[:n])
		data, extension = data[n:], ""
	}
	b.WriteString("0\r\n\r\n")
	return b.Bytes()
}

// exchange is a page as a server sent it.
type exchange struct {
	page
	status string  // code and phrase
	header []field // of the response, except for Date
	entity []byte  // the body with its content codings
	wire   []byte  // entity with its transfer coding
}

type field struct{ name, value string }

// answer is a page sent with codings, from the inside out: those of compress; "chunked"; "says-gzip" and
// "says-chunked", which are declared and not applied, as archives hold them whose crawler decoded the body.
func answer(p page, codings ...string) (exchange, error) {
	x := exchange{page: p, status: "200 OK", entity: p.body}
	x.header = []field{{"Server", "quay/1.4"}}
	if p.mime != "" {
		x.header = append(x.header, field{"Content-Type", p.mime})
	}
	transfer := false
	for _, c := range codings {
		switch name, says := strings.CutPrefix(c, "says-"); {
		case name == "chunked":
			transfer = true
			x.header = append(x.header, field{"Transfer-Encoding", name})
			x.wire = chunked(x.entity)
			if says {
				x.wire = nil
			}
		case says:
			x.header = append(x.header, field{"Content-Encoding", name})
		default:
			packed, err := compress(name, x.entity)
			if err != nil {
				return x, err
			}
			x.entity = packed
			x.header = append(x.header, field{"Content-Encoding", strings.ReplaceAll(name, "raw", "deflate")})
		}
	}
	if x.wire == nil {
		x.wire = x.entity
	}
	if !transfer {
		x.header = append(x.header, field{"Content-Length", fmt.Sprint(len(x.wire))})
	}
	return x, nil
}

// head is the status line and the header, with the empty line that ends it.
func (x exchange) head() string {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %s\r\n", x.status)
	for _, f := range x.header {
		fmt.Fprintf(&b, "%s: %s\r\n", f.name, f.value)
	}
	return b.String() + "\r\n"
}

// message is the response as it went over the wire.
func (x exchange) message() []byte { return append([]byte(x.head()), x.wire...) }
