package inflate

import (
	"bytes"
	"strings"
	"testing"
)

// cornerCase is a stream built by hand.
type cornerCase struct {
	name string
	src  []byte
	want string // what it decodes to
	end  outcome
}

func w() *bitWriter { return new(bitWriter) }

// fixed begins a final block of the fixed codes.
func fixed() *bitWriter { return w().put(1, 1).put(blockFixed, 2) }

var (
	// Codes with which much can be said.
	someLitlen = lengths(286, map[int]uint8{'a': 2, 'b': 2, 256: 2, 257: 3, 285: 3})
	oneLitlen  = lengths(257, map[int]uint8{256: 1})
	twoLitlen  = lengths(258, map[int]uint8{'a': 2, 256: 2, 257: 1})
	noDist     = alphabet{0}
	oneDist    = alphabet{1}
	twoDist    = alphabet{1, 1}
	mostDist   = append(alphabet(bytes.Repeat([]byte{5}, 28)), 4, 4)
	longLitlen = ladder(286, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 257, 'n', 256)
	longDist   = ladder(30, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 29)
)

func cornerCases() []cornerCase {
	long := strings.Repeat("0123456789abcdef", 4096)
	return append(headerCases(), []cornerCase{
		{"no input", nil, "", short},
		{"unknown block type", w().put(7, 3).b, "", corrupt},
		{"stored, empty", w().stored(1, "").b, "", ends},
		{"stored, then more", w().stored(1, "abc").bytes("next").b, "abc", ends},
		{"stored, of the greatest length", w().stored(0, long[:65535]).stored(1, long[:1]).b, long[:65535] + "0", ends},
		{"stored, wrong complement", w().put(1, 3).align().put(1, 16).put(0xffff, 16).bytes("a").b, "", corrupt},
		{"stored, cut in its length", w().stored(1, "").b[:4], "", short},
		{"stored, cut in its data", w().stored(1, "abc").b[:7], "ab", short},
		{"fixed, empty", fixed().symbol(fixedLitlen, 256).b, "", ends},
		{"fixed, literals of 8 and 9 bits", fixed().symbols(fixedLitlen, 0, 143, 144, 255, 256).b, "\x00\x8f\x90\xff", ends},
		{"fixed, cut", fixed().symbols(fixedLitlen, 'a', 'b').b[:2], "a", short},
		{"fixed, symbol 286", fixed().symbols(fixedLitlen, 'a', 286).put(0, 32).b, "a", corrupt},
		{"fixed, symbol 287", fixed().symbols(fixedLitlen, 'a', 287).put(0, 32).b, "a", corrupt},
		{
			"fixed, distance symbol 29", fixed().symbols(fixedLitlen, 'a', 257).symbol(fixedDist, 29).put(0, 32).b, "a",
			corrupt,
		},
		{
			"fixed, distance symbol 30", fixed().symbols(fixedLitlen, 'a', 257).symbol(fixedDist, 30).put(0, 32).b, "a",
			corrupt,
		},
		{
			"fixed, distance symbol 31", fixed().symbols(fixedLitlen, 'a', 257).symbol(fixedDist, 31).put(0, 32).b, "a",
			corrupt,
		},
		{"match before all", fixed().symbol(fixedLitlen, 257).symbol(fixedDist, 0).put(0, 32).b, "", corrupt},
		{"match of all there is", match("ab", 257, 0, 1), "ababa", ends},
		{"match beyond all there is", match("ab", 257, 0, 2), "ab", corrupt},
		{"match of the greatest length", match("a", 285, 0, 0), strings.Repeat("a", 259), ends},
		{"match of that length, written longer", match("a", 284, 31, 0), strings.Repeat("a", 259), ends},
		{"match of the greatest distance", farMatch(long, 8191), long[:32768] + long[:3], ends},
		{"match into an earlier stored block", farMatch(long, 8190), long[:32768] + long[1:4], ends},
	}...)
}

// match returns a stream of literals, a length symbol with extra bits, a distance symbol, and the end.
func match(literals string, length int, extra uint, dist int) []byte {
	b := fixed()
	for i := range len(literals) {
		b.symbol(fixedLitlen, int(literals[i]))
	}
	b.symbol(fixedLitlen, length)
	if length == 284 {
		b.put(extra, 5)
	}
	return b.symbol(fixedDist, dist).symbol(fixedLitlen, 256).put(0, 64).b[:b.n/8-7]
}

// farMatch returns a stored block of 32 KiB and a match at a distance of 24,577 and what extra adds.
func farMatch(stored string, extra uint) []byte {
	b := w().stored(0, stored[:windowSize])
	return b.dynamic(longLitlen, longDist).symbol(longLitlen, 257).symbol(longDist, 29).put(extra, 13).symbol(longLitlen,
		256).b
}

// headerCases are about the codes of dynamic blocks.
func headerCases() []cornerCase {
	full := func(n int, l uint8) alphabet { return alphabet(bytes.Repeat([]byte{l}, n)) }
	zeros := lengths(maxPrecode, map[int]uint8{0: 1, 18: 1})
	return []cornerCase{
		{"dynamic", w().dynamic(someLitlen, twoDist).symbols(someLitlen, 'a', 'b', 257).symbol(twoDist, 1).symbol(someLitlen,
			256).b, "ababa", ends},
		{"HLIT of 287", w().dynamic(append(someLitlen, 0), noDist).symbol(someLitlen, 256).b, "", corrupt},
		{"HLIT of 288", w().dynamic(append(someLitlen, 0, 0), noDist).symbol(someLitlen, 256).b, "", corrupt},
		{"HDIST of 31", w().dynamic(someLitlen, append(mostDist, 0)).symbol(someLitlen, 256).b, "", corrupt},
		{"HDIST of 32", w().dynamic(someLitlen, append(mostDist, 0, 0)).symbol(someLitlen, 256).b, "", corrupt},
		{"HDIST of 30", w().dynamic(twoLitlen, mostDist).symbols(twoLitlen, 'a', 257).symbol(mostDist, 0).symbol(twoLitlen,
			256).b, "aaaa", ends},
		{"precode: empty", w().precode(257, 1, make(alphabet, maxPrecode)).put(0, 64).b, "", corrupt},
		{"precode: one of 1 bit", w().precode(257, 1, lengths(maxPrecode, map[int]uint8{0: 1})).put(0, 300).b, "", corrupt},
		{"precode: one of 2 bits", w().precode(257, 1, lengths(maxPrecode, map[int]uint8{0: 2})).put(0, 300).b, "", corrupt},
		{
			"precode: one of 1 bit, the other met", w().precode(257, 1, lengths(maxPrecode, map[int]uint8{0: 1})).put(2, 300).b,
			"", corrupt,
		},
		{
			"precode: incomplete", w().precode(257, 1, lengths(maxPrecode, map[int]uint8{0: 1, 1: 2})).put(0, 300).b, "",
			corrupt,
		},
		{"precode: over-subscribed", w().precode(257, 1, full(maxPrecode, 1)).put(0, 300).b, "", corrupt},
		{"lengths: none", w().precode(257, 1, zeros).put(0, 258).put(0, 8).b, "", corrupt},
		{"lengths: repeated before the first", w().precode(257, 1, lengths(maxPrecode, map[int]uint8{1: 1, 16: 1})).put(1,
			300).b, "", corrupt},
		{
			"lengths: repeated too often", w().precode(257, 1, zeros).put(1, 1).put(127, 7).put(1, 1).put(127, 7).put(0, 64).b,
			"", corrupt,
		},
		{"lengths: repeated once too often", w().precode(257, 1, zeros).put(1, 1).put(127, 7).put(1, 1).put(110, 7).put(0,
			64).b, "", corrupt},
		{"lengths: repeated from one code into the other", acrossCodes(), "aaaa", ends},
		{"litlen: one of 1 bit", w().dynamic(oneLitlen, noDist).symbol(oneLitlen, 256).b, "", ends},
		{"litlen: one of 1 bit, the other met", w().dynamic(oneLitlen, noDist).put(1, 1).b, "", corrupt},
		{"litlen: one of 2 bits", w().dynamic(lengths(257, map[int]uint8{256: 2}), noDist).put(0, 64).b, "", corrupt},
		{
			"litlen: without an end", w().dynamic(lengths(257, map[int]uint8{'a': 1, 'b': 1}), noDist).put(2, 2).align().b,
			"abaaaa", short,
		},
		{"litlen: incomplete", w().dynamic(lengths(257, map[int]uint8{'a': 1, 256: 2}), noDist).put(0, 64).b, "", corrupt},
		{
			"litlen: over-subscribed", w().dynamic(lengths(257, map[int]uint8{'a': 1, 'b': 1, 256: 1}), noDist).put(0, 64).b, "",
			corrupt,
		},
		{"dist: empty and not used", w().dynamic(someLitlen, noDist).symbols(someLitlen, 'a', 256).b, "a", ends},
		{"dist: empty and used", w().dynamic(someLitlen, noDist).symbols(someLitlen, 'a', 257).put(0, 64).b, "a", corrupt},
		{"dist: one of 1 bit", w().dynamic(someLitlen, oneDist).symbols(someLitlen, 'a', 257).put(0, 1).symbol(someLitlen,
			256).b, "aaaa", ends},
		{
			"dist: one of 1 bit, the other met", w().dynamic(someLitlen, oneDist).symbols(someLitlen, 'a', 257).put(1, 64).b,
			"a", corrupt,
		},
		{"dist: one of 2 bits", w().dynamic(someLitlen, alphabet{2}).put(0, 64).b, "", corrupt},
		{"dist: incomplete", w().dynamic(someLitlen, alphabet{1, 2}).put(0, 64).b, "", corrupt},
		{"dist: over-subscribed", w().dynamic(someLitlen, alphabet{1, 1, 1}).put(0, 64).b, "", corrupt},
		{"codes of 15 bits", longCodes(), "abcdefghijklmnlmn", ends},
	}
}

// acrossCodes returns a stream in which a repetition covers the end of one code's lengths and the beginning of the
// other's.
func acrossCodes() []byte {
	precode := lengths(maxPrecode, map[int]uint8{1: 2, 2: 2, 16: 2, 18: 2})
	b := w().precode(258, 4, precode)
	b.symbol(precode, 18).put('a'-11, 7).symbol(precode, 1)
	b.symbol(precode, 18).put(138-11, 7).symbol(precode, 18).put(20-11, 7).symbol(precode, 2)
	b.symbol(precode, 16).put(5-3, 2) // for 257 and four distances
	litlen, dist := lengths(258, map[int]uint8{'a': 1, 256: 2, 257: 2}), alphabet{2, 2, 2, 2}
	return b.symbols(litlen, 'a', 257).symbol(dist, 0).symbol(litlen, 256).b
}

// longCodes returns a stream that uses codes of all lengths.
func longCodes() []byte {
	b := w().dynamic(longLitlen, longDist)
	for s := 'a'; s <= 'n'; s++ {
		b.symbol(longLitlen, int(s))
	}
	return b.symbol(longLitlen, 257).symbol(longDist, 2).symbol(longLitlen, 256).b
}

func TestDecoder_cornerCases(t *testing.T) {
	var d Decoder
	for _, c := range cornerCases() {
		t.Run(c.name, func(t *testing.T) {
			got, _, end := whole.decode(t, &d, c.src)
			if string(got) != c.want || end != c.end {
				t.Errorf("Decode(%x) = %q, %s, want %q, %s", head(c.src), head(got), end, head([]byte(c.want)), c.end)
			}
			whole.agree(t, &d, c.src, 1<<20)
			feeding{always(1), always(1)}.agree(t, &d, c.src[:min(len(c.src), 1000)], 1<<20)
			// With so many bytes after it, the fast loop decodes it too.
			whole.agree(t, &d, append(c.src[:len(c.src):len(c.src)], make([]byte, 100)...), 1<<20)
		})
	}
}
