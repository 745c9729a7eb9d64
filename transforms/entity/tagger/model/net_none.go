//go:build (!amd64 && !arm64) || purego

package model

func (a *Affine) layer(window *[Window]int16, values *[Width]int16) { a.layerGeneric(window, values) }

func (a *Affine) scores(values *[Width]int16) [NetScores]int32 { return a.scoresGeneric(values) }

func (n *Net) embed(rows []uint32, values *[Width]int16) { n.embedGeneric(rows, values) }

func (n *Net) request([]uint32) {}

func (l *lattice) forward(c *Chain) { l.forwardGeneric(c) }
