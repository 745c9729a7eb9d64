package hbase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// Prepare makes a missing table with these families and splits. An existing table stays unchanged, except that it gets
// missing families. Families keep all versions.
func (s *Store) Prepare(ctx context.Context, families, splits []string) error {
	for _, f := range families {
		if f == "" || len(f) > maxFamily {
			return fmt.Errorf("hbase: %.80q is no name of a family: %w", f, rowstore.ErrRefused)
		}
	}
	// Asked first, because the master's procedure for making a table takes seconds, even if it is refused.
	names, err := s.Families(ctx)
	if errors.Is(err, ErrMissing) {
		err = s.create(ctx, families, splits)
		if !exists(err) {
			// A nil error also ends here: the table was made with all of the families.
			return err
		}
		names, err = s.Families(ctx) // another process was first
	}
	for _, f := range families {
		if err != nil {
			return err
		}
		if !slices.Contains(names, f) {
			err = s.addFamily(ctx, f)
		}
	}
	return err
}

// exists reports whether an error says that the object already exists.
func exists(err error) bool {
	var said *serverError
	return errors.As(err, &said) && said.class == "TableExistsException"
}

// maxVersions is the number of versions that families keep: all, as Java has no larger number.
var maxVersions = strconv.Itoa(1<<31 - 1)

// familySchema returns a ColumnFamilySchema. HBase.proto. Cells of a row repeat its key. FAST_DIFF stores only the
// difference to the previous cell: appendix D of the reference guide, "Compression and Data Block Encoding".
func (s *Store) familySchema(name string) message {
	attribute := func(name, value string) message { return message(nil).text(1, name).text(2, value) }
	return message(nil).text(1, name).bytes(2, attribute("VERSIONS", maxVersions)).
		bytes(2, attribute("DATA_BLOCK_ENCODING", "FAST_DIFF")).bytes(2, attribute("COMPRESSION", s.o.Compression))
}

func (s *Store) create(ctx context.Context, families, splits []string) error {
	// A TableSchema, HBase.proto; CreateTableRequest, Master.proto, has it in field 1 and the keys of regions in field
	// 2.
	schema := message(nil).bytes(1, s.table.message())
	for _, f := range families {
		schema = schema.bytes(3, s.familySchema(f))
	}
	m := message(nil).bytes(1, schema)
	for _, k := range splits {
		m = m.text(2, k)
	}
	return s.procedure(ctx, "CreateTable", m, 1)
}

// addFamily adds a family: AddColumnRequest, Master.proto.
func (s *Store) addFamily(ctx context.Context, name string) error {
	err := s.procedure(ctx, "AddColumn", message(nil).bytes(1, s.table.message()).bytes(2, s.familySchema(name)), 1)
	// The known families are outdated now, whether or not this succeeded.
	s.mu.Lock()
	// Even after an error: the master may have added it although the answer was lost.
	s.families = nil
	s.mu.Unlock()
	var said *serverError
	if errors.As(err, &said) && said.class == "InvalidFamilyOperationException" {
		names, asked := s.Families(ctx) // another process may have been first
		if asked == nil && slices.Contains(names, name) {
			return nil
		}
	}
	return err
}

// Families returns the names of the table's families.
func (s *Store) Families(ctx context.Context) ([]string, error) {
	s.mu.Lock()
	names := s.families
	s.mu.Unlock()
	// Later additions of other processes are not seen.
	if names != nil {
		return names, nil
	}
	a, err := s.askMaster(ctx, "GetTableDescriptors", message(nil).bytes(1, s.table.message()))
	if err != nil {
		return nil, err
	}
	there := false
	// GetTableDescriptorsResponse, Master.proto; TableSchema and ColumnFamilySchema, HBase.proto.
	err = each(a, func(field protowire.Number, _ uint64, b []byte) error {
		// Field 1 is a TableSchema. The answer for a missing table has none.
		there = there || field == 1
		return each(b, func(field protowire.Number, _ uint64, b []byte) error {
			if field != 3 {
				return nil
			}
			return each(b, func(field protowire.Number, _ uint64, b []byte) error {
				if field == 1 {
					names = append(names, string(b))
				}
				return nil
			})
		})
	})
	if err == nil && !there {
		err = fmt.Errorf("hbase: %s: %w: %w", s.table, ErrMissing, rowstore.ErrRefused)
	}
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.families = names
	return names, nil
}

// Splits returns the first keys of regions.
func (s *Store) Splits(ctx context.Context) (keys []string, err error) {
	var list []*region
	// Repeated as a whole: a broken list is not continued, since regions may have moved in the meantime.
	err = s.try(ctx, func() error {
		list, err = s.all(ctx)
		return err
	})
	for _, r := range list {
		// The first region begins at the empty key, which divides nothing.
		if r.From != "" {
			keys = append(keys, r.From)
		}
	}
	return keys, err
}

// askMaster calls a method of the active master until it gets an answer.
func (s *Store) askMaster(ctx context.Context, method string, m message) ([]byte, error) {
	var a answer
	err := s.try(ctx, func() error {
		address, err := s.activeMaster(ctx)
		if err != nil {
			return err
		}
		a, err = s.call(ctx, address, masterService, method, m)
		return err
	})
	return a.param, err
}

func (s *Store) activeMaster(ctx context.Context) (address string, err error) {
	m, err := s.askMasters(ctx, "GetActiveMaster")
	if err != nil {
		return "", err
	}
	err = each(m, func(field protowire.Number, _ uint64, b []byte) error {
		if field == 1 {
			address, err = parseServer(b)
		}
		return err
	})
	if err == nil && address == "" {
		err = errors.New("no master is active")
	}
	return address, err
}

// States of a procedure: GetProcedureResultResponse, Master.proto.
const (
	procedureRunning  = 1
	procedureFinished = 2
)

// procedure starts a procedure of the master, and waits for it. A field of the answer has the procedure's number.
func (s *Store) procedure(ctx context.Context, method string, m message, field protowire.Number) error {
	// It may run twice if an answer is lost; the callers know the exception of the second one.
	a, err := s.askMaster(ctx, method, m)
	if err != nil {
		return err
	}
	// An answer without a number means that there was nothing to do.
	id, known := uint64(0), false
	if err := each(a, func(f protowire.Number, v uint64, _ []byte) error {
		if f == field {
			id, known = v, true
		}
		return nil
	}); err != nil || !known {
		return err
	}
	for {
		// Asked by number, so that another master can answer if the active one has changed.
		a, err := s.askMaster(ctx, "getProcedureResult", message(nil).num(1, id))
		if err != nil {
			return err
		}
		state, failed, err := parseProcedure(a)
		switch {
		case err != nil:
			return err
		case failed != nil:
			return fmt.Errorf("hbase: %s: %w", method, failed)
		case state != procedureRunning: // finished, or already forgotten
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("hbase: %w", context.Cause(ctx))
		// Making a table takes a second or so: a pause of 50 ms adds little.
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// parseProcedure parses a GetProcedureResultResponse. Its exception is a ForeignExceptionMessage, which contains a
// GenericExceptionMessage with class and message: ErrorHandling.proto.
func parseProcedure(m []byte) (state uint64, failed, wrong error) {
	// The default for a missing field, so that the waiting ends.
	state = procedureFinished
	wrong = each(m, func(field protowire.Number, v uint64, b []byte) error {
		switch field {
		case 1:
			state = v
		case 5:
			// Kept even if it is unreadable: the failure is certain.
			e := &serverError{class: "exception"}
			failed = e
			return each(b, func(field protowire.Number, _ uint64, b []byte) error {
				if field != 2 {
					return nil
				}
				var name, text string
				err := each(b, func(field protowire.Number, _ uint64, b []byte) error {
					switch field {
					case 1:
						name = string(b)
					case 2:
						text = string(b[:min(len(b), maxMessage)])
					}
					return nil
				})
				failed = e.of(name, text)
				return err
			})
		}
		return nil
	})
	return state, failed, wrong
}
