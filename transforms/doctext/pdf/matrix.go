package pdf

// matrix transforms points: x' = ax + cy + e, y' = bx + dy + f. Its elements are in the order of the letters.
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// then returns the matrix that first transforms by m and then by n. Vectors are rows, as in the standard (section
// 8.3.3): the matrix that applies first is on the left.
func (m matrix) then(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2],
		m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2],
		m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4],
		m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// point transforms a point.
func (m matrix) point(x, y float64) (float64, float64) {
	return m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]
}

// box returns the smallest upright rectangle around the transformed one with the corners (r[0], r[1]) and (r[2],
// r[3]). It needs all four corners, since a rotation may make any of them the outermost.
func (m matrix) box(r [4]float64) (x0, y0, x1, y1 float64) {
	x0, y0 = m.point(r[0], r[1])
	x1, y1 = x0, y0
	for _, p := range [][2]float64{{r[2], r[1]}, {r[0], r[3]}, {r[2], r[3]}} {
		x, y := m.point(p[0], p[1])
		x0, x1 = min(x0, x), max(x1, x)
		y0, y1 = min(y0, y), max(y1, y)
	}
	return x0, y0, x1, y1
}
