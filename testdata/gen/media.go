package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"strings"

	"github.com/klauspost/compress/zlib"
)

// quayPNG draws waves. It is stored uncompressed, since the bytes that std's deflate makes may differ between
// versions of Go.
func quayPNG() ([]byte, error) {
	img := image.NewPaletted(image.Rect(0, 0, 48, 48), color.Palette{
		color.RGBA{0xF6, 0xF1, 0xE7, 0xFF}, color.RGBA{0x0A, 0x58, 0x78, 0xFF}, color.RGBA{0x7F, 0xB2, 0xC4, 0xFF},
	})
	for y := range 48 {
		for x := range 48 {
			img.SetColorIndex(x, y, uint8((x*x/16+y)/8%3))
		}
	}
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&b, img)
	return b.Bytes(), err
}

// pdf makes a document (PDF 1.4, ISO 32000-1) of text: title, author and language on the first three lines, then
// pages parted by "---". Pages after the first are compressed.
func pdf(text string) ([]byte, error) {
	lines := strings.SplitN(text, "\n", 4)
	pages := strings.Split(strings.TrimSpace(lines[3]), "\n---\n")
	const fixed = 4 // catalog, page tree, font, information
	kids := make([]string, len(pages))
	for i := range pages {
		kids[i] = fmt.Sprintf("%d 0 R", fixed+1+2*i)
	}
	objects := []string{
		fmt.Sprintf("<< /Type /Catalog /Pages 2 0 R /Lang (%s) >>", lines[2]),
		fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(pages)),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
		fmt.Sprintf("<< /Title %s /Author %s /CreationDate (D:20231231120000Z) >>", pdfString(lines[0]), pdfString(lines[1])),
	}
	for i, p := range pages {
		stream, err := pdfStream(p, i > 0)
		if err != nil {
			return nil, err
		}
		objects = append(objects, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "+
			"/Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>", fixed+2+2*i), stream)
	}
	return pdfFile(objects), nil
}

// pdfStream sets one page's lines in 11 points.
func pdfStream(text string, compress bool) (string, error) {
	var b bytes.Buffer
	b.WriteString("BT /F1 11 Tf 15 TL 60 780 Td\n")
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(&b, "%s Tj T*\n", pdfString(line))
	}
	b.WriteString("ET\n")
	if !compress {
		return fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", b.Len(), b.String()), nil
	}
	packed, err := pack(b.Bytes(), func(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriter(w), nil })
	return fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", len(packed), packed), err
}

// pdfString quotes text, in WinAnsiEncoding: what is not ASCII as octal escapes.
func pdfString(text string) string {
	var b strings.Builder
	b.WriteByte('(')
	for _, r := range text {
		switch {
		case r == '(' || r == ')' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == 'œ':
			b.WriteString(`\234`)
		case r > 0x7E:
			fmt.Fprintf(&b, `\%03o`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte(')')
	return b.String()
}

// pdfFile numbers the objects and adds the cross-reference table; the first object is the catalog, the fourth the
// information dictionary.
func pdfFile(objects []string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n%\xE2\xE3\xCF\xD3\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, off := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", off)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return b.Bytes()
}
