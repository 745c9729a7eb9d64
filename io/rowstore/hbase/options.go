package hbase

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Options say which table it is, and how patiently it is asked. The zero value of all but Masters and Table works.
type Options struct {
	Masters []string // host:port of each, 16000 where there is no port
	Table   string   // name, or namespace:name
	User    string   // what servers are told: who one is, which they believe; gleaner

	// Compression is how the servers' files of new families are compressed: NONE, GZ, which every server has, or SNAPPY,
	// LZ4, ZSTD and others, which some have; NONE.
	Compression string

	Connections  int           // to each region server; 2
	DialTimeout  time.Duration // until a server is connected; 10 s
	CallTimeout  time.Duration // until a call is answered; 60 s
	RetryTimeout time.Duration // until what fails is given up, from its last progress on; 5 min
	BatchBytes   int           // that are sent at once, about; 4 MiB
	ScanBytes    int           // that a server answers a scan with at once, about; 2 MiB
	MaxRow       int           // bytes of a row that is read: a longer one is an error; 64 MiB
	MaxAnswer    int           // bytes of an answer; 192 MiB
	// Dial makes connections; that of a net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// masterPort is where masters listen that were not told otherwise.
const masterPort = "16000"

// tableNames: section 40 of HBase's reference guide, "Namespace", and TableName.isLegalTableQualifierName.
var tableNames = regexp.MustCompile(`^([A-Za-z0-9_]+:)?[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

func (o Options) withDefaults() (Options, error) {
	if len(o.Masters) == 0 {
		return o, errors.New("hbase: no master is named")
	}
	if !tableNames.MatchString(o.Table) {
		return o, fmt.Errorf("hbase: %.80q is no name of a table", o.Table)
	}
	// The caller's slice stays as it is.
	o.Masters = slices.Clone(o.Masters)
	for i, m := range o.Masters {
		// No port: "host", or "[::1]" with the brackets that JoinHostPort adds itself.
		if _, _, err := net.SplitHostPort(m); err != nil {
			o.Masters[i] = net.JoinHostPort(strings.Trim(m, "[]"), masterPort)
		}
	}
	o.User = cmp.Or(o.User, "gleaner")
	o.Compression = cmp.Or(strings.ToUpper(o.Compression), "NONE")
	// Negative counts as 0: a pool without slots could connect nobody.
	o.Connections = cmp.Or(max(0, o.Connections), 2)
	o.DialTimeout = cmp.Or(o.DialTimeout, 10*time.Second)
	o.CallTimeout = cmp.Or(o.CallTimeout, time.Minute)
	o.RetryTimeout = cmp.Or(o.RetryTimeout, 5*time.Minute)
	o.BatchBytes = cmp.Or(o.BatchBytes, 4<<20)
	o.ScanBytes = cmp.Or(o.ScanBytes, 2<<20)
	o.MaxRow = cmp.Or(o.MaxRow, 64<<20)
	// Beyond MaxRow, so that a row which is too large is told as such.
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

// String is the name as rows of hbase:meta begin with it.
func (t table) String() string {
	// Tables of the default namespace have no prefix in hbase:meta.
	if t.namespace == "default" {
		return t.name
	}
	return t.namespace + ":" + t.name
}
