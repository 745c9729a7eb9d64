package source

import (
	"math/bits"
	"slices"
)

// mostExact is the number of sets up to which all choices are tried, in at most 2^n unions.
const mostExact = 12

// Cover chooses the fewest sets that together have all elements, and returns their indices: first the largest, then
// each that adds most. Elements are distinct numbers below n; of equal choices the earlier set wins.
//
// Among up to 12 sets, without those contained in another, the choice is optimal. For more it is greedy without
// redundant sets. It then takes at most H(m) times the optimum, where m is the size of the largest set. Source:
// Chvátal, "A Greedy Heuristic for the Set-Covering Problem", 1979.
func Cover(sets [][]int, n int) []int {
	all := make([]bitset, len(sets))
	for i, s := range sets {
		all[i] = make(bitset, (n+63)/64)
		for _, e := range s {
			all[i][e/64] |= 1 << (e % 64)
		}
	}
	kept := undominated(all)
	chosen := superfluous(all, greedy(all, kept))
	if len(kept) <= mostExact {
		chosen = fewest(all, kept, chosen)
	}
	return byWhatTheyAdd(all, chosen)
}

type bitset []uint64

// adds is the number of elements of s that are not in t.
func (s bitset) adds(t bitset) (n int) {
	for i, w := range s {
		n += bits.OnesCount64(w &^ t[i])
	}
	return n
}

func (s bitset) join(t bitset) {
	for i, w := range t {
		s[i] |= w
	}
}

// undominated are the sets that are not empty and not contained in another.
func undominated(all []bitset) (kept []int) {
	for i, s := range all {
		none := make(bitset, len(s))
		if s.adds(none) == 0 || slices.ContainsFunc(kept, func(k int) bool { return s.adds(all[k]) == 0 }) {
			continue
		}
		kept = slices.DeleteFunc(kept, func(k int) bool { return all[k].adds(s) == 0 })
		kept = append(kept, i)
	}
	return kept
}

// greedy takes the set that adds most, until none adds anything.
func greedy(all []bitset, from []int) (chosen []int) {
	if len(from) == 0 {
		return nil
	}
	have := make(bitset, len(all[0]))
	for {
		best, most := -1, 0
		for _, i := range from {
			if n := all[i].adds(have); n > most {
				best, most = i, n
			}
		}
		if best < 0 {
			return chosen
		}
		have.join(all[best])
		chosen = append(chosen, best)
	}
}

// superfluous removes sets, the last chosen first, whose elements the others have.
func superfluous(all []bitset, chosen []int) []int {
	for i := len(chosen) - 1; i >= 0; i-- {
		others := make(bitset, len(all[0]))
		for j, k := range chosen {
			if j != i {
				others.join(all[k])
			}
		}
		if all[chosen[i]].adds(others) == 0 {
			chosen = slices.Delete(chosen, i, i+1)
		}
	}
	return chosen
}

// fewest tries all choices smaller than chosen.
func fewest(all []bitset, from, chosen []int) []int {
	if len(chosen) == 0 {
		return nil
	}
	whole := make(bitset, len(all[0]))
	for _, i := range from {
		whole.join(all[i])
	}
	for choice := uint(1); choice < 1<<len(from); choice++ {
		if bits.OnesCount(choice) >= len(chosen) {
			continue
		}
		have := make(bitset, len(whole))
		var list []int
		for j, i := range from {
			if choice>>j&1 == 1 {
				have.join(all[i])
				list = append(list, i)
			}
		}
		if whole.adds(have) == 0 {
			chosen = list
		}
	}
	return chosen
}

// byWhatTheyAdd orders a choice.
func byWhatTheyAdd(all []bitset, chosen []int) []int {
	slices.Sort(chosen)
	return greedy(all, chosen) // takes all, as none is redundant
}
