package webgraph

import (
	"math"
	"runtime"
	"sync"
)

// Point is a place in the plane.
type Point struct{ X, Y float64 }

// Constants of the layout. Distances are in units of the wanted length of an edge.
const (
	turn      = 2.399963229728653 // the golden angle, which spreads the vertices over a disc at first
	gravity   = .2                // towards the middle, so that parts without edges between them stay in sight
	openAngle = .9                // a cell that appears smaller than this counts as one vertex
	mostTurns = 150
	leastWork = 40
	workOf    = 200_000 // vertices times rounds
)

// Layout places the vertices of a graph for a drawing: those with edges near each other, others apart. The direction of
// edges does not count. The same graph has the same layout.
//
// The method is that of Fruchterman and Reingold ("Graph Drawing by Force-directed Placement", 1991). Repulsion uses
// the tree of Barnes and Hut ("A hierarchical O(N log N) force-calculation algorithm", 1986).
func Layout(vertices int, edges []Edge) []Point {
	at := make([]Point, vertices)
	for i := range at {
		r, angle := math.Sqrt(float64(i)), turn*float64(i)
		at[i] = Point{r * math.Cos(angle), r * math.Sin(angle)}
	}
	if vertices < 2 {
		return at
	}
	rounds := min(mostTurns, max(leastWork, workOf/vertices))
	force := make([]Point, vertices)
	t := &tree{}
	for round := range rounds {
		t.build(at)
		repel(t, at, force)
		for _, e := range edges {
			attract(at, force, e)
		}
		// The greatest step falls to nothing, so that the layout comes to rest.
		most := math.Sqrt(float64(vertices)) / 4 * (1 - float64(round)/float64(rounds))
		for i, f := range force {
			f.X, f.Y = f.X-gravity*at[i].X, f.Y-gravity*at[i].Y
			if length := math.Hypot(f.X, f.Y); length > most {
				f.X, f.Y = f.X*most/length, f.Y*most/length
			}
			at[i].X, at[i].Y = at[i].X+f.X, at[i].Y+f.Y
		}
	}
	return at
}

// repel sets forces by the distances between vertices. Each depends on places alone, so they can be computed at once.
func repel(t *tree, at, force []Point) {
	n := runtime.GOMAXPROCS(0)
	var work sync.WaitGroup
	for k := range n {
		work.Go(func() {
			for i := k * len(at) / n; i < (k+1)*len(at)/n; i++ {
				force[i] = t.force(at[i])
			}
		})
	}
	work.Wait()
}

// attract adds the force of an edge, which grows with the square of its length.
func attract(at, force []Point, e Edge) {
	x, y := at[e.To].X-at[e.From].X, at[e.To].Y-at[e.From].Y
	d := math.Hypot(x, y)
	// A long edge must not throw its ends across.
	pull := min(d, 4) / 2
	force[e.From].X, force[e.From].Y = force[e.From].X+x*pull, force[e.From].Y+y*pull
	force[e.To].X, force[e.To].Y = force[e.To].X-x*pull, force[e.To].Y-y*pull
}

// tree is a quadtree of vertices.
type tree struct{ cells []cell }

// cell is a square with at least one vertex.
type cell struct {
	x, y, half float64  // middle, and half of the side
	sum        Point    // of the places of its vertices
	mass       float64  // their number
	child      [4]int32 // 0 if there is none, as cell 0 is the root
}

// deepest limits the depth: vertices that are closer stay in one cell.
const deepest = 32

func (t *tree) build(at []Point) {
	most := 1e-3
	for _, p := range at {
		most = max(most, math.Abs(p.X), math.Abs(p.Y))
	}
	t.cells = append(t.cells[:0], cell{half: most})
	for _, p := range at {
		t.add(p)
	}
}

// add adds a vertex to the cells from the root to a leaf.
func (t *tree) add(p Point) {
	i := int32(0)
	for range deepest {
		c := &t.cells[i]
		alone, first := c.mass == 1, c.sum
		c.sum.X, c.sum.Y, c.mass = c.sum.X+p.X, c.sum.Y+p.Y, c.mass+1
		if c.mass == 1 {
			return
		}
		// A leaf that gets a second vertex moves its first one down.
		if alone {
			j := t.below(i, first)
			t.cells[j].sum, t.cells[j].mass = first, 1
		}
		i = t.below(i, p)
	}
	c := &t.cells[i]
	c.sum.X, c.sum.Y, c.mass = c.sum.X+p.X, c.sum.Y+p.Y, c.mass+1
}

// below returns the quarter of a cell that has a place, and makes it if necessary.
func (t *tree) below(i int32, p Point) int32 {
	c := t.cells[i]
	quarter, half := 0, c.half/2
	x, y := c.x-half, c.y-half
	if p.X >= c.x {
		quarter, x = 1, c.x+half
	}
	if p.Y >= c.y {
		quarter, y = quarter+2, c.y+half
	}
	if c.child[quarter] == 0 {
		t.cells[i].child[quarter] = int32(len(t.cells))
		t.cells = append(t.cells, cell{x: x, y: y, half: half})
	}
	return t.cells[i].child[quarter]
}

// force returns the force of all vertices on one at p.
func (t *tree) force(p Point) (f Point) {
	var stack [4 * deepest]int32
	n := 1
	for n > 0 {
		n--
		c := &t.cells[stack[n]]
		x, y := p.X-c.sum.X/c.mass, p.Y-c.sum.Y/c.mass
		d2 := x*x + y*y
		if leaf := c.child == [4]int32{}; leaf || 4*c.half*c.half < openAngle*openAngle*d2 {
			// The vertex itself is at no distance, and so has no force.
			f.X, f.Y = f.X+c.mass*x/max(d2, .01), f.Y+c.mass*y/max(d2, .01)
			continue
		}
		for _, child := range c.child {
			if child != 0 {
				stack[n] = child
				n++
			}
		}
	}
	return f
}
