package parquetscan

type element struct {
	name             string
	kind, repetition int64
	length           int64
	children         int64
	unit             unit
}

// parseElement parses a SchemaElement.
func parseElement(d *decoder) element {
	e := element{kind: -1}
	d.fields(func(id int, kind byte) bool {
		switch {
		case id == 1 && kind == thriftI32:
			e.kind = d.int()
		case id == 2 && kind == thriftI32:
			e.length = d.int()
		case id == 3 && kind == thriftI32:
			e.repetition = d.int()
		case id == 4 && kind == thriftBinary:
			e.name = string(d.bytes())
		case id == 5 && kind == thriftI32:
			e.children = d.int()
		case id == 6 && kind == thriftI32: // ConvertedType
			switch d.int() {
			// TIMESTAMP_MILLIS and TIMESTAMP_MICROS of older writers. A logical type follows in the file and overrides
			// them.
			case 9:
				e.unit = millis
			case 10:
				e.unit = micros
			}
		case id == 10 && kind == thriftStruct: // LogicalType
			e.parseLogical(d)
		default:
			return false
		}
		return true
	})
	return e
}

// parseLogical parses the unit of a TIMESTAMP, the union's field 8, whose field 2 is a union of units.
func (e *element) parseLogical(d *decoder) {
	d.fields(func(id int, kind byte) bool {
		if id != 8 || kind != thriftStruct {
			return false
		}
		d.fields(func(id int, kind byte) bool {
			if id != 2 || kind != thriftStruct {
				return false
			}
			d.fields(func(id int, _ byte) bool {
				if id >= 1 && id <= 3 {
					// Fields 1 to 3 are millis, micros and nanos, in the order of our constants.
					e.unit = unit(id)
				}
				return false
			})
			return true
		})
		return true
	})
}
