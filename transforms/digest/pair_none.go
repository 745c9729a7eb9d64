//go:build purego || !amd64

package digest

const hasPair = false

func blockPair(*[2][8]uint32, *byte, *byte, int) { panic("digest: no assembly") }
