package main

import (
	"bufio"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// The made lines have the shape of a national crawl. Some hosts have most pages, and a third of the payloads are known
// from earlier captures. Pages are captured several times, and archives have a gigabyte.
const (
	pagesOfArchive = 30_000
	words          = "news archive politics sport culture travel weather science health market people opinion events " +
		"city region history music film book photo video service contact about search tag author category product " +
		"article page"
)

// lines writes n made lines of an index, in the order of their archives. The same seed makes the same lines.
func lines(w io.Writer, n int, seed uint64) error {
	out := bufio.NewWriterSize(w, 1<<20)
	rnd := rand.New(rand.NewPCG(seed, 1))
	names := strings.Fields(words)
	start := time.Date(2015+int(seed%10), 1, 1, 0, 0, 0, 0, time.UTC)
	offset, buf := int64(0), []byte(nil)
	for i := range n {
		if i%pagesOfArchive == 0 {
			offset = 700
		}
		// A power law: rank r has pages as 1/r has weight.
		host := int(math.Exp(rnd.Float64() * math.Log(200_000)))
		url := fmt.Sprintf("https://www.%s-%s%d.example/%s/", names[host%len(names)], names[host/7%len(names)], host,
			names[rnd.IntN(len(names))])
		page := int(math.Exp(rnd.Float64() * math.Log(50_000)))
		kind, status := "text/html", 200
		switch x := rnd.IntN(100); {
		case x < 50:
			url += fmt.Sprintf("%s-%s-%d.html", names[page%len(names)], names[page/3%len(names)], page)
		case x < 75:
			kind, url = "image/jpeg", url+fmt.Sprintf("img/%06d.jpg", page)
		case x < 85:
			url += fmt.Sprintf("?id=%d&view=%s", page, names[page%len(names)])
		case x < 93:
			kind, url = "application/javascript", url+fmt.Sprintf("js/app.%x.js", uint32(page)*2654435761)
		default:
			status = 301
		}
		// A payload seldom changes from one capture to the next.
		content := uint64(host)<<32 | uint64(page)<<8
		if rnd.IntN(3) > 0 {
			content = rnd.Uint64()
		}
		sum := sha1.Sum(binary.LittleEndian.AppendUint64(nil, content))
		length := int64(300 + math.Exp(rnd.NormFloat64()+9))
		l := cdx.Line{
			SURT: urlkey.SURT(url), Timestamp: start.Add(time.Duration(i) * 200 * time.Millisecond), URL: url, MIME: kind,
			Status: status, Digest: "sha1:" + base32.StdEncoding.EncodeToString(sum[:]), Length: length, Offset: offset,
			Filename: fmt.Sprintf("crawl-%d/CRAWL-%05d.warc.gz", start.Year(), i/pagesOfArchive),
		}
		offset += length
		buf = l.AppendTo(buf[:0])
		if _, err := out.Write(buf); err != nil {
			return err
		}
	}
	return out.Flush()
}
