// Package jobserver starts servers of Apache Beam's job service for tests: programs that take a pipeline and run it on
// workers, which are processes of ours. There are three, written by different people in three languages, so what holds
// on all of them is what Beam's protocol promises and no accident of one.
//
//	server := jobserver.Prism(t)  // Beam's own small runner, as a process; it is built from the module in go.mod
//	server := jobserver.Python(t) // of the Python package apache-beam, which is fetched by pip
//	server := jobserver.Flink(t)  // a Flink cluster of two task managers, see Flink
//	// … run a pipeline with --runner=universal --endpoint=server.Endpoint …
//
// Everything listens on this machine alone, on ports that are free, and ends with the test, as do the processes that it
// started. What a server printed is shown when the test fails. Downloads are kept in the folder gleaner of the user's
// cache, or in $GLEANER_CACHE. The package is for Linux, as Beam's boot program is.
package jobserver
