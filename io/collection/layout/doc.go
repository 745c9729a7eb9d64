// Package layout brings collections of layout 1 to today's layout.
package layout
