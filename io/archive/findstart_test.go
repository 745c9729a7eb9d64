package archive

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/io/stream/member"
)

// proven is a file whose members are known from another source than FindStart.
type proven struct {
	data   []byte
	format Format
	heads  []int64 // where members start that begin with a record, in order
	reach  []int64 // how far a run of whole members goes that begins there
}

// prove walks data from member to member by other means than the reader's: compress/gzip, and a walk of frames. Where
// they stop before the end, the file is damaged, and the heads are those from which an unsplit reader delivers.
func prove(t testing.TB, data []byte, f Format) proven {
	t.Helper()
	p := proven{data: data, format: f}
	at := int64(0)
	for at < int64(len(data)) {
		end, head, ok := walkMember(data, at, f.Compression)
		if !ok {
			break
		}
		if head {
			p.heads = append(p.heads, at)
		}
		at = end
	}
	if at < int64(len(data)) {
		p.heads = nil
		records, _ := readRecords(t, bytes.NewReader(data), int64(len(data)), f)
		for _, d := range records {
			p.heads = append(p.heads, d.offset)
		}
		p.heads = slices.Compact(p.heads)
	}
	p.reach = make([]int64, len(p.heads))
	known := map[int64]int64{}
	for i := len(p.heads) - 1; i >= 0; i-- {
		p.reach[i] = reach(data, p.heads[i], f.Compression, known)
	}
	return p
}

// reach tells where a run of whole members ends that begins at off. known are those of later places.
func reach(data []byte, off int64, kind member.Kind, known map[int64]int64) int64 {
	at := off
	for at < int64(len(data)) {
		if end, ok := known[at]; ok {
			at = end
			break
		}
		end, _, ok := walkMember(data, at, kind)
		if !ok || isSkippable(data[at:]) {
			break
		}
		at = end
	}
	known[off] = at
	return at
}

// walkMember returns where the member at at ends, and whether it begins with a record.
func walkMember(data []byte, at int64, kind member.Kind) (end int64, head, ok bool) {
	if kind == member.Zstd {
		return walkFrame(data, at)
	}
	src := bytes.NewReader(data[at:])
	r, err := gzip.NewReader(src)
	if err != nil {
		return at, false, false
	}
	r.Multistream(false)
	begin := make([]byte, 5)
	n, err := io.ReadFull(r, begin)
	if err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	whole := err == nil || err == io.EOF || err == io.ErrUnexpectedEOF && n > 0 && src.Len() == 0
	return int64(len(data) - src.Len()), string(begin[:n]) == "WARC/" || string(begin[:n]) == "http:", whole
}

func isSkippable(b []byte) bool {
	return len(b) >= 8 && binary.LittleEndian.Uint32(b)&^15 == 0x184D2A50
}

// walkFrame walks the frame at at by its header and those of its blocks, RFC 8878, section 3.1.1, and decodes it. A
// frame that needs a dictionary is taken for whole: files with one are not damaged.
func walkFrame(data []byte, at int64) (end int64, head, ok bool) {
	b := data[at:]
	if isSkippable(b) {
		end = at + 8 + int64(binary.LittleEndian.Uint32(b[4:]))
		return end, false, end <= int64(len(data))
	}
	var h zstd.Header
	if err := h.Decode(b); err != nil || h.Skippable {
		return at, false, false
	}
	n, last := h.HeaderSize, false
	for !last {
		if n+3 > len(b) {
			return at, false, false
		}
		v := uint32(b[n]) | uint32(b[n+1])<<8 | uint32(b[n+2])<<16
		last = v&1 != 0
		if n += 3 + int(v>>3); v>>1&3 == 1 {
			n += 1 - int(v>>3)
		}
	}
	if h.HasCheckSum {
		n += 4
	}
	if n > len(b) {
		return at, false, false
	}
	if h.DictionaryID != 0 {
		return at + int64(n), true, true
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return at, false, false
	}
	defer dec.Close()
	text, err := dec.DecodeAll(b[:n], nil)
	return at + int64(n), bytes.HasPrefix(text, []byte("WARC/")), err == nil
}

// check compares an answer of FindStart with the first start at or after from that the chain rule proves. A run that
// ends with the file may be taken for one too, however short it is.
func (p proven) check(t *testing.T, from, got int64) {
	t.Helper()
	need := int64(layout{format: p.format.String()}.chain())
	size := int64(len(p.data))
	i, _ := slices.BinarySearch(p.heads, from)
	for ; i < len(p.heads); i++ {
		switch at := p.heads[i]; {
		case p.reach[i]-at >= need:
			if got != at {
				t.Fatalf("FindStart(%d) = %d, want %d", from, got, at)
			}
			return
		case got == at && p.reach[i] == size:
			return
		}
	}
	if got != size {
		t.Fatalf("FindStart(%d) = %d, want the file's end, %d", from, got, size)
	}
}

// splitOffsets returns how many offsets are tried over each group of files: GLEANER_SPLITS when it is set.
func splitOffsets(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv("GLEANER_SPLITS"), "600"))
	if err != nil {
		t.Fatalf("GLEANER_SPLITS: %v", err)
	}
	if inShort() {
		n /= 10
	}
	return n
}

// TestFindStart_randomOffsets tries offsets at random over archives in archives, damaged archives and large ones.
// None may give a start that is not one.
func TestFindStart_randomOffsets(t *testing.T) {
	t.Run("made", func(t *testing.T) {
		files := map[string]proven{}
		for _, l := range layouts {
			if c := mustFormat(t, l.format).Compression; c == member.Gzip || c == member.Zstd {
				m := l.make(t, rand.New(rand.NewPCG(1, 2)), 80, l.chain()/4)
				files[l.name] = prove(t, m.bytes(), m.format)
			}
		}
		data, starts := nested(t)
		files["nested"] = prove(t, data, mustFormat(t, "warc+gzip"))
		if got := files["nested"].heads; !slices.Equal(got, starts) {
			t.Errorf("members start at %d, want %d", got, starts)
		}
		tryOffsets(t, files)
	})
	t.Run("damaged copies", func(t *testing.T) {
		dir, made := makeDamaged(t)
		files := map[string]proven{}
		for i, name := range slices.Sorted(maps.Keys(made)) {
			if strings.HasSuffix(name, ".warc") || inShort() && i%5 > 0 { // a proof takes seconds
				continue
			}
			files[name] = proveFile(t, filepath.Join(dir, name))
		}
		tryOffsets(t, files)
	})
	t.Run("large", func(t *testing.T) {
		files := map[string]proven{}
		for _, path := range benchFiles(t) {
			files[filepath.Base(path)] = proveFile(t, path)
		}
		if len(files) == 0 {
			t.Skip("GLEANER_BENCH names no folder of archives")
		}
		tryOffsets(t, files)
	})
}

func proveFile(t *testing.T, path string) proven {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Detect("", bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return prove(t, data, f)
}

func tryOffsets(t *testing.T, files map[string]proven) {
	t.Helper()
	n := splitOffsets(t)/len(files) + 1
	for name, p := range files {
		t.Run(name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(uint64(len(name)), uint64(len(p.data))))
			src, size := bytes.NewReader(p.data), int64(len(p.data))
			for range n {
				from := 1 + rnd.Int64N(size)
				got, err := member.FindStart(src, p.format.Compression, from, size, isHead(p.format.grammar(), true))
				if err != nil {
					t.Fatal(err)
				}
				p.check(t, from, got)
			}
		})
	}
}
