// Package standing decides which units of an output folder stay when a run is planned: those whose archives the
// command does not name, or that no longer exist. A run removes nothing that another made unless it is asked to.
//
// A plan reads the folder once, and settles its rows class by class, when the files of a class are found and before
// they are divided:
//
//	folder, err := standing.Read(f)
//	outcome, err := standing.Settle(folder, found, standing.Policy{Add: true}, world)
//	for _, row := range outcome.Stay {
//		taken.Add(row) // these ranges are not read again
//	}
//
// Settle changes nothing and asks nothing but its [World], so that tables can test it.
package standing
