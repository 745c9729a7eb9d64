package hbase

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// EncodeRow returns a row as a block of cells, so that rows can wait as bytes. It returns an error if HBase would
// refuse the row.
func EncodeRow(r rowstore.Row) ([]byte, error) {
	if err := check([]rowstore.Row{r}); err != nil {
		return nil, err
	}
	// Enough for all cells, so that it does not grow.
	b := make([]byte, 0, sizeOf(r)+len(r.Cells)*4)
	for _, c := range r.Cells {
		b = appendCell(b, r.Key, typePut, c)
	}
	return b, nil
}

// DecodeRow is the inverse of EncodeRow. Values are parts of b.
func DecodeRow(b []byte) (row rowstore.Row, err error) {
	cells := cellReader{block: b}
	for len(cells.block) > 0 {
		key, c, err := cells.next()
		if err != nil {
			return row, err
		}
		row.Key, row.Cells = string(key), append(row.Cells, c)
	}
	return row, nil
}

// ParseURL parses the address of a table: hbase://user@host:port,host:port/namespace:table?… The default port is 16000,
// and the default user gleaner. The part after the question mark is for the caller.
func ParseURL(address string) (o Options, more url.Values, err error) {
	rest, ok := strings.CutPrefix(address, "hbase://")
	hosts, path, found := strings.Cut(rest, "/")
	if !ok || !found || hosts == "" {
		return o, nil, errors.New("this is no address of a table, such as hbase://127.0.0.1:16000/pages")
	}
	if user, rest, ok := strings.Cut(hosts, "@"); ok {
		o.User, hosts = user, rest
		// A password in an address would seem to protect something.
		if strings.Contains(user, ":") {
			return o, nil, errors.New("HBase knows no passwords: the address is to have none")
		}
	}
	// Open checks them and adds ports.
	o.Masters = strings.Split(hosts, ",")
	path, values, _ := strings.Cut(path, "?")
	if o.Table, err = url.PathUnescape(path); err != nil || !tableNames().MatchString(o.Table) {
		return o, nil, fmt.Errorf("%.80q is no name of a table", path)
	}
	if more, err = url.ParseQuery(values); err != nil {
		return o, nil, fmt.Errorf("%.80q: %w", values, err)
	}
	return o, more, nil
}
