package linkgraph

import (
	"bufio"
	"encoding/csv"
	"strconv"
)

// vertexTable writes the vertices as CSV.
func (g *graph) vertexTable(w *bufio.Writer) error {
	list := g.vertexAttributes()
	rows := csv.NewWriter(w)
	head := []string{g.level}
	for _, a := range list {
		head = append(head, a.name)
	}
	err := rows.Write(head)
	for i := 0; i < len(g.names) && err == nil; i++ {
		err = rows.Write(valuesOf(list, i, reversed(g.names[i])))
	}
	rows.Flush()
	return err
}

// edgeTable writes the edges as CSV.
func (g *graph) edgeTable(w *bufio.Writer) error {
	list := g.edgeAttributes()
	rows := csv.NewWriter(w)
	head := []string{"source", "target", "links"}
	for _, a := range list {
		head = append(head, a.name)
	}
	err := rows.Write(head)
	for i := 0; i < len(g.edges) && err == nil; i++ {
		e := g.edges[i]
		err = rows.Write(valuesOf(list, i, reversed(g.names[e.From]), reversed(g.names[e.To]),
			strconv.FormatInt(g.links[i], 10)))
	}
	rows.Flush()
	return err
}

// valuesOf returns a row: its first cells, and the attributes.
func valuesOf(list []attribute, i int, row ...string) []string {
	for _, a := range list {
		row = append(row, a.of(i))
	}
	return row
}
