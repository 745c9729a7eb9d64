// Command glyphs makes the tables in transforms/doctext/pdf/font/data from the resources of Apache PDFBox and
// FontBox:
//
//	PDFBOX_JARS=folder go generate ./transforms/doctext/pdf/font
//
// The folder must have pdfbox-3.0.5.jar and fontbox-3.0.5.jar from Maven Central. The command writes
//
//	glyphs.gz        the Adobe Glyph List, that of ZapfDingbats, and names that TeX uses: "name<tab>text" lines
//	standard14.gz    of each of the 14 standard fonts a line with its name, then "name<tab>width<tab>code" lines
//	Adobe-Japan1.gz  and so on: the text of each CID, from 0 on, divided by NUL
//
// The tables' licences are in data/LICENSES.txt. The output depends only on these files and this program.
package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"unicode/utf16"
)

const version = "3.0.5"

func main() {
	log.SetFlags(0)
	jars := flag.String("jars", ".", "folder of the two jar files")
	out := flag.String("out", "data", "folder to write to")
	flag.Parse()
	if err := run(*jars, *out); err != nil {
		log.Fatal("glyphs: ", err)
	}
}

func run(jars, out string) error {
	pdfbox, err := zip.OpenReader(filepath.Join(jars, "pdfbox-"+version+".jar"))
	if err != nil {
		return err
	}
	defer func() { _ = pdfbox.Close() }() // nothing was written
	fontbox, err := zip.OpenReader(filepath.Join(jars, "fontbox-"+version+".jar"))
	if err != nil {
		return err
	}
	defer func() { _ = fontbox.Close() }() // nothing was written
	tables := map[string]func() ([]byte, error){
		"glyphs":     func() ([]byte, error) { return glyphs(&pdfbox.Reader) },
		"standard14": func() ([]byte, error) { return metrics(&pdfbox.Reader) },
	}
	for _, c := range []string{"Adobe-CNS1", "Adobe-GB1", "Adobe-Japan1", "Adobe-Korea1"} {
		tables[c] = func() ([]byte, error) { return collection(&fontbox.Reader, c) }
	}
	for name, table := range tables {
		b, err := table()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := write(filepath.Join(out, name+".gz"), b); err != nil {
			return err
		}
	}
	return nil
}

func write(name string, b []byte) error {
	var z bytes.Buffer
	w, err := gzip.NewWriterLevel(&z, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(b); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(name, z.Bytes(), 0o644)
}

func read(r *zip.Reader, name string) ([]byte, error) {
	f, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	return io.ReadAll(f)
}

// glyphs joins the lists of glyph names; the first of equal names counts.
func glyphs(r *zip.Reader) ([]byte, error) {
	var out bytes.Buffer
	seen := map[string]bool{}
	for _, list := range []string{"glyphlist", "zapfdingbats", "additional"} {
		b, err := read(r, "org/apache/pdfbox/resources/glyphlist/"+list+".txt")
		if err != nil {
			return nil, err
		}
		lines := bufio.NewScanner(bytes.NewReader(b))
		for lines.Scan() {
			name, codes, ok := strings.Cut(strings.TrimSpace(lines.Text()), ";")
			if !ok || strings.HasPrefix(name, "#") || seen[name] {
				continue
			}
			seen[name] = true
			fmt.Fprintf(&out, "%s\t", name)
			for code := range strings.FieldsSeq(codes) {
				n, err := strconv.ParseUint(code, 16, 32)
				if err != nil {
					return nil, err
				}
				out.WriteRune(rune(n))
			}
			out.WriteByte('\n')
		}
	}
	return out.Bytes(), nil
}

// metrics returns the widths and codes from the AFM files.
func metrics(r *zip.Reader) ([]byte, error) {
	var out bytes.Buffer
	const dir = "org/apache/pdfbox/resources/afm/"
	for _, f := range r.File {
		if !strings.HasPrefix(f.Name, dir) || !strings.HasSuffix(f.Name, ".afm") {
			continue
		}
		b, err := read(r, f.Name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintln(&out, strings.TrimSuffix(f.Name[len(dir):], ".afm"))
		lines := bufio.NewScanner(bytes.NewReader(b))
		for lines.Scan() {
			// C 32 ; WX 250 ; N space ; B 0 0 0 0 ;
			if w := strings.Fields(lines.Text()); len(w) > 7 && w[0] == "C" && w[3] == "WX" && w[6] == "N" {
				fmt.Fprintf(&out, "%s\t%s\t%s\n", w[7], w[4], w[1])
			}
		}
	}
	return out.Bytes(), nil
}

// collection returns the text of a character collection's CIDs, from its CMap to UCS-2.
func collection(r *zip.Reader, name string) ([]byte, error) {
	b, err := read(r, "org/apache/fontbox/cmap/"+name+"-UCS2")
	if err != nil {
		return nil, err
	}
	texts := map[int]string{}
	kind := ""
	lines := bufio.NewScanner(bytes.NewReader(b))
	for lines.Scan() {
		w := strings.Fields(strings.NewReplacer("<", " ", ">", " ").Replace(lines.Text()))
		switch {
		case len(w) == 2 && strings.HasPrefix(w[1], "begin"), len(w) == 1 && strings.HasPrefix(w[0], "end"):
			kind = strings.TrimPrefix(w[len(w)-1], "begin")
		case kind == "bfchar" && len(w) == 2:
			err = add(texts, w[0], w[0], w[1])
		case kind == "bfrange" && len(w) == 3:
			err = add(texts, w[0], w[1], w[2])
		}
		if err != nil {
			return nil, err
		}
	}
	cids := make([]int, 0, len(texts))
	for cid := range texts {
		cids = append(cids, cid)
	}
	sort.Ints(cids)
	var out bytes.Buffer
	next := 0
	for _, cid := range cids {
		for ; next < cid; next++ {
			out.WriteByte(0)
		}
		out.WriteString(texts[cid])
	}
	return out.Bytes(), nil
}

// add adds the texts of the CIDs from lo to hi; dst is the text of lo.
func add(texts map[int]string, lo, hi, dst string) error {
	from, err := strconv.ParseUint(lo, 16, 16)
	if err != nil {
		return err
	}
	to, err := strconv.ParseUint(hi, 16, 16)
	if err != nil {
		return err
	}
	b, err := hex.DecodeString(dst)
	if err != nil {
		return err
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i])<<8 | uint16(b[2*i+1])
	}
	for cid := from; cid <= to && len(units) > 0; cid++ {
		if text := string(utf16.Decode(units)); text != "\ufffd" {
			texts[int(cid)] = text
		}
		units[len(units)-1]++
	}
	return nil
}
