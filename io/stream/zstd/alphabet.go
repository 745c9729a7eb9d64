package zstd

// The alphabets of the codes (RFC 8878 sections 3.1.1.3.2.1.1 and 4.2.1.2), as entries without a state.
var (
	literalLengths = makeLengths(0, 16, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
	matchLengths   = makeLengths(3, 32, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
	offsets        = makeOffsets()
	weights        = makeLengths(0, maxCodeBits+1)
)

// makeLengths returns an alphabet of single lengths, from first on, followed by lengths with extra bits.
func makeLengths(first entry, single int, extra ...entry) (a []entry) {
	value := first
	for range single {
		a = append(a, value<<valueShift)
		value++
	}
	for _, n := range extra {
		a = append(a, value<<valueShift|n<<extraShift)
		value += 1 << n
	}
	return a
}

func makeOffsets() (a []entry) {
	for n := range entry(32) {
		a = append(a, 1<<n<<valueShift|n<<extraShift)
	}
	return a
}

// The predefined codes (RFC 8878 section 3.1.1.3.2.2).
var (
	predefinedLiteralLengths = makePredefined(6, literalLengths, 4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1,
		2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1)
	predefinedMatchLengths = makePredefined(6, matchLengths, 1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1)
	predefinedOffsets = makePredefined(5, offsets, 1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1)
)

func makePredefined(log uint, alphabet []entry, counts ...int16) *table {
	t := &table{log: log}
	t.build(counts, alphabet)
	return t
}
