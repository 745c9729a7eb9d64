// Package standing decides which units of an output folder stay when a run is planned. These are units whose archives
// no longer exist, or are not named by the command. A run removes nothing that another made unless it is asked to.
//
// A plan reads the folder once. It settles the rows of each class after the files of the class are found, and before
// they are divided:
//
//	folder, err := standing.Read(f)
//	outcome, err := standing.Settle(folder, found, standing.Policy{Add: true}, world)
//	for _, row := range outcome.Stay {
//		taken.Add(row) // these ranges are not read again
//	}
//
// Settle changes nothing and reads only its arguments, so that tables can test it.
package standing
