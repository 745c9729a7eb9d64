//go:build local

package cli

// LeftOut says what this program was built without, for messages, or is "" for a full build.
const LeftOut = "this program was built with -tags local, without Beam's other runners, Iceberg tables, buckets " +
	"(gs://, s3://), Kafka, PostgreSQL and databases of sources (--sources): build it without the tag, or in Python's " +
	"environment get the program gleaner-cluster by pip install 'gleaner[cluster]'"
