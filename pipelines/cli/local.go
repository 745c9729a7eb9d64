//go:build local

package cli

// LeftOut says what this program was built without, for messages, or is "" for a full build.
const LeftOut = "this program was built with -tags local, without Beam's other runners, Iceberg tables, buckets " +
	"(gs://, s3://), Kafka, PostgreSQL and databases of sources (--sources): build it without the tag. In Python's " +
	"environment pip install 'gleaner[cluster]' gets the program gleaner-cluster, which has all but Iceberg tables"
