package hbase

import (
	"github.com/gleaner-web/gleaner/io/rowstore"
)

// Filters run in the region servers. Each is the name of a Java class and a message of Filter.proto. All are part of
// HBase, so that nothing has to be installed on the servers.
const filters = "org.apache.hadoop.hbase.filter."

// The operators of a FilterList: MUST_PASS_ALL and MUST_PASS_ONE, Filter.proto.
const (
	passAll = 1
	passOne = 2
)

// The comparisons of a SingleColumnValueFilter: CompareType, HBase.proto.
const (
	equal          = 2
	greaterOrEqual = 4
)

// filter returns a Filter: the class, and the message for its parseFrom.
func filter(class string, m message) message { return message(nil).text(1, filters+class).bytes(2, m) }

// filterMessage returns the Filter of the spans and of where. It is nil if it takes all rows.
func filterMessage(among []rowstore.Span, where rowstore.Filter) message {
	var list []message
	if among != nil {
		list = append(list, rangesFilter(among))
	}
	if where != nil {
		list = append(list, whereFilter(where))
	}
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return filterList(passAll, list)
}

func filterList(operator uint64, list []message) message {
	m := message(nil).num(1, operator)
	for _, f := range list {
		m = m.bytes(2, f)
	}
	return filter("FilterList", m)
}

// rangesFilter makes the scan seek from span to span. A RowRange includes its first key (field 2) and excludes its last
// one (field 4). An empty last key means no limit.
func rangesFilter(among []rowstore.Span) message {
	var m message
	for _, s := range among {
		m = m.bytes(1, message(nil).text(1, s.From).yes(2).text(3, s.To).no(4))
	}
	return filter("MultiRowRangeFilter", m)
}

// whereFilter nests like the filter.
func whereFilter(f rowstore.Filter) message {
	switch f := f.(type) {
	case rowstore.Column:
		return columnFilter(f)
	case rowstore.Any:
		if len(f) == 0 {
			return columnFilter(rowstore.Column{}) // which no row has: a family has a name
		}
		return filterList(passOne, whereFilters(f))
	case rowstore.All:
		return filterList(passAll, whereFilters(f))
	}
	return filterList(passAll, nil) // takes all
}

func whereFilters(list []rowstore.Filter) []message {
	all := make([]message, len(list))
	for i, f := range list {
		all[i] = whereFilter(f)
	}
	return all
}

// columnFilter returns a SingleColumnValueFilter that rejects rows without the column, and tests all versions. Fields 5
// and 6 are filter_if_missing and latest_version_only. By default a row without the column would pass.
func columnFilter(c rowstore.Column) message {
	// Compared as bytes: values have no types in HBase.
	var compare uint64 = equal
	if c.Value == nil {
		compare = greaterOrEqual // than no bytes, as all values are
	}
	comparator := message(nil).text(1, filters+"BinaryComparator").
		bytes(2, message(nil).bytes(1, message(nil).bytes(1, c.Value)))
	m := message(nil).text(1, c.Family).text(2, c.Qualifier).num(3, compare).bytes(4, comparator).yes(5).no(6)
	return filter("SingleColumnValueFilter", m)
}
