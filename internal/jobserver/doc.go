// Package jobserver starts servers of Apache Beam's job service for tests: programs that run a pipeline on workers,
// which are our processes. The three were written by different people in three languages. What works with all of them
// is Beam's protocol and no accident.
//
//	server := jobserver.Prism(t)  // Beam's own small runner, as a process; it is built from the module in go.mod
//	server := jobserver.Python(t) // of the Python package apache-beam, which is fetched by pip
//	server := jobserver.Flink(t)  // a Flink cluster of two task managers, see Flink
//	// … run a pipeline with --runner=universal --endpoint=server.Endpoint …
//
// Servers listen on loopback at free ports and end with the test, as do their processes. If the test fails, their
// output is shown. Downloads are kept in the folder gleaner of the user's cache, or in $GLEANER_CACHE. The package is
// for Linux, as Beam's boot program is.
package jobserver
