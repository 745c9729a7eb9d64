package zstd_test

import (
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	kzstd "github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/io/stream/zstd"
)

func encode(s string) []byte {
	w, err := kzstd.NewWriter(nil)
	if err != nil {
		log.Fatal(err)
	}
	frame := w.EncodeAll([]byte(s), nil)
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	return frame
}

// A frame is decoded into a buffer that has room for all of it.
func ExampleDecoder_Decode() {
	src := append(encode(strings.Repeat("row ", 3)+"your boat"), "next frame"...)
	d := zstd.NewDecoder(zstd.Options{})
	out, used, err := d.Decode(make([]byte, 0, 100), src)
	fmt.Printf("%s, %v, then %s\n", out, err, src[used:])
	// Output: row row row your boat, EOF, then next frame
}

// A frame is decoded as it arrives, in a buffer that holds what matches may refer to and some room.
func ExampleDecoder_Need() {
	in := strings.NewReader(string(encode(strings.Repeat("la ", 1000) + "end")))
	d := zstd.NewDecoder(zstd.Options{MaxWindow: 1 << 20})
	var src, dst []byte
	total, err := 0, error(nil)
	for err == nil {
		if n := d.Need() - len(src); n > 0 {
			more, readErr := io.ReadAll(io.LimitReader(in, int64(n)))
			if readErr != nil || len(more) < n {
				log.Fatal("the frame is cut")
			}
			src = append(src, more...)
		}
		history := dst[len(dst)-min(len(dst), d.Window()):]
		dst = append(make([]byte, 0, len(history)+1000), history...)
		var used int
		dst, used, err = d.Decode(dst, src)
		src = src[used:]
		total += len(dst) - len(history)
	}
	fmt.Println(total, err)
	// Output: 3003 EOF
}

// Frames of a WARC file share a dictionary, which is in its first frame.
func ExampleParseDictionary() {
	b, err := os.ReadFile("testdata/libzstd/trained.dict")
	if err != nil {
		log.Fatal(err)
	}
	frame, err := os.ReadFile("testdata/libzstd/trained-19.zst")
	if err != nil {
		log.Fatal(err)
	}
	dictionary, err := zstd.ParseDictionary(b)
	if err != nil {
		log.Fatal(err)
	}
	d := zstd.NewDecoder(zstd.Options{Dictionary: dictionary})
	out, _, err := d.Decode(make([]byte, 0, 1<<20), frame)
	fmt.Println(len(b), len(frame), len(out), err)
	// Output: 4000 523 2000 EOF
}
