package damage

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Container is a damaged WACZ file. Like a Case it always makes the same bytes.
type Container struct {
	Kind  string // one of ContainerKinds
	Seed  uint64
	Pages int // of each archive in it
}

// containerKind is one way to damage a WACZ file.
type containerKind struct {
	name string
	do   func(r *rand.Rand, z *zipped, pages int)
}

// containerKinds are the kinds of damage to WACZ files; the first does nothing.
var containerKinds = []containerKind{
	{"sound", func(*rand.Rand, *zipped, int) {}},
	// One bit of each structure.
	{"flip-directory", func(r *rand.Rand, z *zipped, _ int) { z.flip(r, z.directory, z.end) }},
	{"flip-end", func(r *rand.Rand, z *zipped, _ int) { z.flip(r, z.end, min(len(z.Data), z.end+98)) }},
	{"flip-header", func(r *rand.Rand, z *zipped, _ int) {
		f := z.any(r)
		z.flip(r, f.header, f.content)
	}},
	{"flip-offset", func(r *rand.Rand, z *zipped, _ int) {
		f := z.any(r)
		z.flip(r, f.entry+42, f.entry+46)
	}},
	{"flip-sizes", func(r *rand.Rand, z *zipped, _ int) {
		f := z.any(r)
		at := []int{f.entry + 20, f.header + 18}[r.IntN(2)]
		z.flip(r, at, at+8)
	}},
	{"flip-lengths", func(r *rand.Rand, z *zipped, _ int) {
		f := z.any(r)
		at := []int{f.entry + 28, f.header + 26}[r.IntN(2)]
		z.flip(r, at, at+4)
	}},
	{"flip-name", func(r *rand.Rand, z *zipped, _ int) {
		f := z.any(r)
		at := []int{f.entry + 46, f.header + 30}[r.IntN(2)]
		z.flip(r, at, at+len(f.name))
	}},
	{"flip-anywhere", func(r *rand.Rand, z *zipped, _ int) { z.flip(r, 0, len(z.Data)) }},
	{"flips", func(r *rand.Rand, z *zipped, _ int) {
		for range 3 {
			f := z.any(r)
			z.flip(r, f.header, f.content)
			z.flip(r, z.directory, len(z.Data))
		}
	}},
	// Two entries of the directory that have exchanged values.
	{"swapped-offsets", func(r *rand.Rand, z *zipped, _ int) { z.exchange(r, 42, 4) }},
	{"swapped-sizes", func(r *rand.Rand, z *zipped, _ int) { z.exchange(r, 20, 8) }},
	{"swapped-methods", func(r *rand.Rand, z *zipped, _ int) { z.exchange(r, 10, 2) }},
	// Inserted and removed bytes.
	{"insert", func(r *rand.Rand, z *zipped, _ int) { z.insert(r.IntN(len(z.Data)), noise(r, 1+r.IntN(300))) }},
	{"insert-front", func(r *rand.Rand, z *zipped, _ int) { z.insert(0, noise(r, 1+r.IntN(300))) }},
	{"insert-between", func(r *rand.Rand, z *zipped, _ int) {
		f := z.any(r)
		z.insert([]int{f.header, f.end}[r.IntN(2)], noise(r, 1+r.IntN(300)))
	}},
	{"append", func(r *rand.Rand, z *zipped, _ int) { z.insert(len(z.Data), noise(r, 1+r.IntN(70_000))) }},
	{"remove", func(r *rand.Rand, z *zipped, _ int) { z.remove(r.IntN(len(z.Data)), 1+r.IntN(300)) }},
	{"remove-front", func(r *rand.Rand, z *zipped, _ int) { z.remove(0, 1+r.IntN(len(z.Data)/4)) }},
	{"cut", func(r *rand.Rand, z *zipped, _ int) { z.remove(r.IntN(len(z.Data)), len(z.Data)) }},
	{"cut-directory", func(r *rand.Rand, z *zipped, _ int) {
		z.remove(z.directory+r.IntN(len(z.Data)-z.directory), len(z.Data))
	}},
	{"hole", func(r *rand.Rand, z *zipped, _ int) { z.overwrite(r.IntN(len(z.Data)), noise(r, 512)) }},
	{"hole-header", func(r *rand.Rand, z *zipped, _ int) {
		z.overwrite(max(0, z.any(r).header-r.IntN(20)), noise(r, 40))
	}},
	{"zeros", func(r *rand.Rand, z *zipped, _ int) { z.overwrite(r.IntN(len(z.Data))/512*512, make([]byte, 4096)) }},
	{"zeros-directory", func(_ *rand.Rand, z *zipped, _ int) {
		z.overwrite(z.directory, make([]byte, len(z.Data)-z.directory))
	}},
	{"swapped-blocks", func(r *rand.Rand, z *zipped, _ int) { swap(r, &z.File) }},
	// Concatenated files.
	{"joined", func(r *rand.Rand, z *zipped, pages int) { z.add(&container(r, pages, "second").File) }},
	{"joined-thrice", func(r *rand.Rand, z *zipped, pages int) {
		z.add(&container(r, pages, "second").File)
		z.add(&container(r, pages, "third").File)
	}},
	{"joined-cut", func(r *rand.Rand, z *zipped, pages int) {
		first := z.files[0].content // or its remains could not be told from other bytes in front
		z.remove(first+r.IntN(len(z.Data)-first), len(z.Data))
		z.add(&container(r, pages, "second").File)
	}},
	{"joined-end-gone", func(r *rand.Rand, z *zipped, pages int) {
		second := container(r, pages, "second")
		second.remove(second.directory, len(second.Data))
		z.add(&second.File)
	}},
}

// ContainerKinds returns the kinds of damage to WACZ files; the first does nothing.
func ContainerKinds() (names []string) {
	for _, k := range containerKinds {
		names = append(names, k.name)
	}
	return names
}

// Make returns the damaged WACZ file.
func (c Container) Make() *File {
	r := rand.New(rand.NewPCG(c.Seed, 18))
	z := container(r, c.Pages, "first")
	i := slices.IndexFunc(containerKinds, func(k containerKind) bool { return k.name == c.Kind })
	containerKinds[i].do(r, z, c.Pages)
	return &z.File
}

// String names the container in a test.
func (c Container) String() string { return fmt.Sprintf("%s-%d", c.Kind, c.Seed) }

func (z *zipped) any(r *rand.Rand) *zipFile { return z.files[r.IntN(len(z.files))] }

// flip inverts a bit in [from, to).
func (z *zipped) flip(r *rand.Rand, from, to int) {
	at := from + r.IntN(to-from)
	z.overwrite(at, []byte{z.Data[at] ^ 1<<r.IntN(8)})
}

// exchange swaps n bytes at offset at between the directory entries of two files.
func (z *zipped) exchange(r *rand.Rand, at, n int) {
	a, b := z.any(r).entry+at, z.any(r).entry+at
	first, second := slices.Clone(z.Data[a:a+n]), slices.Clone(z.Data[b:b+n])
	z.overwrite(a, second)
	z.overwrite(b, first)
}
