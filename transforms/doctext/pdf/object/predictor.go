package object

// unpredict undoes a predictor (section 7.4.4.4) in place. Cross-reference streams nearly always have one, with the
// "up" filter: their columns change little from row to row.
func unpredict(b []byte, parms Dict) []byte {
	predictor := parameter(parms, "Predictor", 1)
	if predictor < 2 {
		return b
	}
	// These bounds are those of the standard, or higher than in all real files. They keep row at 64 MiB at most.
	colors := min(max(parameter(parms, "Colors", 1), 1), 32)
	bits := min(max(parameter(parms, "BitsPerComponent", 8), 1), 16)
	columns := min(max(parameter(parms, "Columns", 1), 1), 1<<20)
	// Sizes are in bytes, rounded up: filters work on bytes even if pixels are smaller.
	pixel := (colors*bits + 7) / 8
	row := (colors*bits*columns + 7) / 8
	// Number 2 is TIFF's predictor, which occurs only with whole bytes. Numbers 10 to 15 are PNG's, which name the
	// filter in each row.
	if predictor == 2 {
		if bits == 8 {
			unTIFF(b, row, colors)
		}
		return b
	}
	return unPNG(b, row, pixel)
}

// parameter returns a number among the parameters. plainDict has resolved them.
func parameter(d Dict, key Name, fallback int) int {
	if v, ok := d[key].(int); ok {
		return v
	}
	return fallback
}

// unTIFF adds to each byte that of the pixel before.
func unTIFF(b []byte, row, pixel int) {
	for ; len(b) > 0; b = b[min(row, len(b)):] {
		line := b[:min(row, len(b))]
		for i := pixel; i < len(line); i++ {
			line[i] += line[i-pixel]
		}
	}
}

// unPNG undoes the filters of PNG (section 9 of ISO 15948); a byte before each row names its filter. It writes to the
// front of b while it reads further on, since a row loses its first byte.
func unPNG(b []byte, row, pixel int) []byte {
	out := b[:0]
	// The row above the first is all zeroes. No row is longer than the data, since a file may state any length and be
	// decoded many times.
	above := make([]byte, min(row, len(b)))
	for len(b) > 1 {
		kind := b[0]
		// The last row may be incomplete.
		line := b[1:min(1+row, len(b))]
		b = b[1+len(line):]
		for i := range line {
			var left, corner byte
			// Left of the first pixel everything is zero.
			if i >= pixel {
				left, corner = line[i-pixel], above[i-pixel]
			}
			// Filter 0 and unknown filters leave the row unchanged.
			switch kind {
			case 1:
				line[i] += left
			case 2:
				line[i] += above[i]
			case 3:
				// int is needed, since the sum of two bytes does not fit into one.
				line[i] += byte((int(left) + int(above[i])) / 2)
			case 4:
				line[i] += paeth(left, above[i], corner)
			}
		}
		copy(above, line)
		out = append(out, line...)
	}
	return out
}

// paeth returns the one of the three that is nearest to left + above - corner.
func paeth(left, above, corner byte) byte {
	p := int(left) + int(above) - int(corner)
	a, b, c := distance(p, left), distance(p, above), distance(p, corner)
	switch {
	case a <= b && a <= c:
		return left
	case b <= c:
		return above
	}
	return corner
}

func distance(a int, b byte) int { return max(a-int(b), int(b)-a) }
