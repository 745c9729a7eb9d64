// Package takedown is the list of pages that must not be in a collection. Package care removes them.
package takedown
