package hbase

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Options select the table, and control retries. Masters and Table are required.
type Options struct {
	Masters []string // host:port of each; the default port is 16000
	Table   string   // name, or namespace:name
	User    string   // user name, which servers trust; gleaner

	// Compression is the compression of the servers' files for new families, by default NONE. NONE and GZ work on every
	// server, but SNAPPY, LZ4, ZSTD and others only on some.
	Compression string

	Connections  int           // to each region server; 2
	DialTimeout  time.Duration // to connect to a server; 10 s
	CallTimeout  time.Duration // for the answer to a call; 60 s
	RetryTimeout time.Duration // for retries since the last progress; 5 min
	BatchBytes   int           // approximate size of one request; 4 MiB
	ScanBytes    int           // approximate size of one answer to a scan; 2 MiB
	MaxRow       int           // limit of a read row in bytes: a longer one is an error; 64 MiB
	MaxAnswer    int           // limit of an answer in bytes; 192 MiB
	// Dial makes connections. The default is that of a net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// masterPort is the default port of masters.
const masterPort = "16000"

// tableNames matches names of tables: section 40 of HBase's reference guide, "Namespace", and
// TableName.isLegalTableQualifierName.
var tableNames = pattern.Lazy(`^([A-Za-z0-9_]+:)?[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

func (o Options) withDefaults() (Options, error) {
	if len(o.Masters) == 0 {
		return o, errors.New("hbase: no master is named")
	}
	if !tableNames().MatchString(o.Table) {
		return o, fmt.Errorf("hbase: %.80q is no name of a table", o.Table)
	}
	// The caller's slice stays unchanged.
	o.Masters = slices.Clone(o.Masters)
	for i, m := range o.Masters {
		// No port: "host", or "[::1]" with the brackets that JoinHostPort adds itself.
		if _, _, err := net.SplitHostPort(m); err != nil {
			o.Masters[i] = net.JoinHostPort(strings.Trim(m, "[]"), masterPort)
		}
	}
	o.User = cmp.Or(o.User, "gleaner")
	o.Compression = cmp.Or(strings.ToUpper(o.Compression), "NONE")
	// Negative counts as 0: a pool without slots could not connect.
	o.Connections = cmp.Or(max(0, o.Connections), 2)
	o.DialTimeout = cmp.Or(o.DialTimeout, 10*time.Second)
	o.CallTimeout = cmp.Or(o.CallTimeout, time.Minute)
	o.RetryTimeout = cmp.Or(o.RetryTimeout, 5*time.Minute)
	o.BatchBytes = cmp.Or(o.BatchBytes, 4<<20)
	o.ScanBytes = cmp.Or(o.ScanBytes, 2<<20)
	o.MaxRow = cmp.Or(o.MaxRow, 64<<20)
	// Above MaxRow, so that a row that is too large gets its own error.
	o.MaxAnswer = cmp.Or(o.MaxAnswer, 192<<20)
	if o.Dial == nil {
		o.Dial = new(net.Dialer).DialContext
	}
	return o, nil
}

// table is a table's name in its two parts.
type table struct{ namespace, name string }

func tableOf(name string) table {
	if namespace, rest, ok := strings.Cut(name, ":"); ok {
		return table{namespace, rest}
	}
	return table{"default", name}
}

// String returns the name as at the start of rows in hbase:meta.
func (t table) String() string {
	// Tables of the default namespace have no prefix in hbase:meta.
	if t.namespace == "default" {
		return t.name
	}
	return t.namespace + ":" + t.name
}
