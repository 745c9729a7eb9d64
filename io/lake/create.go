package lake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"
)

// tableShape is what a shard has to know of the table to be registered.
type tableShape struct {
	location string
	whole    iceberg.PartitionSpec  // the unpartitioned one
	monthly  *iceberg.PartitionSpec // by month(timestamp); nil where somebody has removed it
	order    int                    // of rows in our shards, 0 where the table does not know it
}

func shapeOf(meta table.Metadata) (tableShape, error) {
	s := tableShape{location: meta.Location()}
	found := false
	// Its zero value has id 0, which no field has: without the column there is no monthly spec.
	stamp, _ := meta.CurrentSchema().FindFieldByName("timestamp")
	// By what they are and not by their ids: others may have added specs, and ids differ from catalogue to
	// catalogue.
	for _, spec := range meta.PartitionSpecs() {
		switch {
		case spec.NumFields() == 0:
			s.whole, found = spec, true
		case spec.NumFields() == 1 && spec.Field(0).SourceID() == stamp.ID &&
			spec.Field(0).Transform.Equals(iceberg.MonthTransform{}):
			s.monthly = &spec
		}
	}
	if !found {
		return s, fmt.Errorf("lake: the table at %s has no unpartitioned spec: was it made by gleaner?", s.location)
	}
	// 0 stands for "not sorted" in Iceberg: right for any file, and only less than could be told.
	for _, o := range meta.SortOrders() {
		if o.OrderID() == sortOrderID {
			s.order = sortOrderID
		}
	}
	return s, nil
}

// sortOrderID is that of (surt, timestamp), by which shards are sorted. It is not the table's default: rows that others
// insert need not be sorted, and Spark would sort all of them first.
const sortOrderID = 1

// properties of new tables.
func properties() iceberg.Properties {
	p := iceberg.Properties{
		// The folder holds more than the table, and its shards belong to the collection: others must not remove what the
		// table does not refer to, as remove_orphan_files and DROP TABLE … PURGE do. Expire cleans up instead.
		"gc.enabled": "false",
		table.MetadataDeleteAfterCommitEnabledKey: "true",
		table.MetadataPreviousVersionsMaxKey:      strconv.Itoa(keptVersions),
		// Spark's vectorized reader knows few encodings, and not that of the texts in our shards: it fails, at least.
		"read.parquet.vectorization.enabled": "false",
		// Each commit reads all manifests, of which it makes one or two more: 20 small ones become one.
		table.ManifestMergeEnabledKey:     "true",
		table.ManifestMinMergeCountKey:    "20",
		"write.parquet.compression-codec": "zstd",
		"write.metadata.metrics.default":  "none",
	}
	for _, name := range bounded {
		// The same columns as in our own manifests, so that data which others write can be chosen by bounds as
		// well.
		p["write.metadata.metrics.column."+name] = "full"
	}
	p["write.metadata.metrics.column.surt"] = fmt.Sprintf("truncate(%d)", boundBytes)
	return p
}

// unborn is the catalogue of a table that is not there yet: it keeps what is committed until publish writes all of it
// as the first version, so that nobody ever reads a table without its rows.
type unborn struct {
	t    *Table
	meta table.Metadata
}

var _ table.CatalogIO = &unborn{}

// begin is a table that is going to be made.
func (t *Table) begin() (*unborn, error) {
	if err := checkLocation(t.location); err != nil {
		return nil, err
	}
	data, err := initial(t.location)
	if err != nil {
		return nil, fmt.Errorf("lake: %w", err)
	}
	meta, err := parse(data)
	if err == nil {
		err = t.f.Make(metadataDir) // for what is written before the first version
	}
	if err != nil {
		return nil, fmt.Errorf("lake: %w", err)
	}
	return &unborn{t, meta}, nil
}

func (u *unborn) LoadTable(context.Context, table.Identifier) (*table.Table, error) {
	return newTable(u.t.f, u.t.ident, u.meta, "", u), nil
}

// CommitTable keeps a change.
func (u *unborn) CommitTable(
	_ context.Context, _ table.Identifier, _ []table.Requirement, updates []table.Update,
) (table.Metadata, string, error) {
	meta, err := table.UpdateTableMetadata(u.meta, updates, "")
	if err != nil {
		return nil, "", fmt.Errorf("lake: %w", err)
	}
	u.meta = meta
	return meta, "", nil
}

// publish makes the table. When another process makes it meanwhile, that is errRace.
func (u *unborn) publish(ctx context.Context) error {
	data, err := json.Marshal(u.meta)
	if err != nil {
		return fmt.Errorf("lake: %w", err)
	}
	// A folder that keeps its own table: version 1 is written as a new file, and whoever comes second gets
	// errRace.
	if v, ok := u.t.cat.(versions); ok {
		return v.writeBytes(data, 1)
	}
	return u.t.register(ctx, data)
}

// registrar is a catalogue that takes a table as it is written down. Others would give its columns other ids.
type registrar interface {
	RegisterTable(ctx context.Context, ident table.Identifier, metadata string) (*table.Table, error)
}

// register has a catalogue know the table.
func (t *Table) register(ctx context.Context, meta []byte) error {
	r := registrarOf(t.cat, t.properties)
	if r == nil {
		return errors.New("lake: this catalogue cannot register tables: of those that are known REST, Glue and SQL can")
	}
	if err := t.keep(); err != nil {
		return err
	}
	// The name that catalogues give to a first version, with a random part: there is no race for names,
	// the catalogue decides.
	name := fmt.Sprintf("%s/00000-%s.metadata.json", metadataDir, uuid.New())
	if err := t.f.Write(name, meta); err != nil {
		return fmt.Errorf("lake: %w", err)
	}
	// REST and Glue know no table outside of a namespace.
	if c, ok := t.cat.(catalog.Catalog); ok && len(t.ident) > 1 {
		err := c.CreateNamespace(ctx, t.ident[:len(t.ident)-1], nil)
		if err != nil && !errors.Is(err, catalog.ErrNamespaceAlreadyExists) {
			return fmt.Errorf("lake: %w", err)
		}
	}
	if _, err := r.RegisterTable(ctx, t.ident, t.location+"/"+name); err != nil {
		return fmt.Errorf("lake: %w", err)
	}
	return nil
}

// initial is the first metadata of a table.
func initial(location string) ([]byte, error) {
	schema, err := today()
	if err != nil {
		return nil, err
	}
	b, err := table.NewMetadataBuilder(2)
	if err != nil {
		return nil, err
	}
	monthly, order, err := layoutOf(schema)
	if err != nil {
		return nil, err
	}
	err = errors.Join(
		// -1 is the last that was added, in Iceberg's updates.
		b.SetUUID(uuid.New()), b.AddSchema(schema), b.SetCurrentSchemaID(-1),
		b.AddSortOrder(&table.UnsortedSortOrder), b.AddSortOrder(&order), b.SetDefaultSortOrderID(0),
		b.AddPartitionSpec(iceberg.UnpartitionedSpec, true), b.AddPartitionSpec(&monthly, false), b.SetDefaultSpecID(-1),
		b.SetLoc(location), b.SetProperties(properties()))
	if err != nil {
		return nil, err
	}
	meta, err := b.Build()
	if err != nil {
		return nil, err
	}
	return reserve(meta)
}

// layoutOf are the partitions by month and the order of rows.
func layoutOf(schema *iceberg.Schema) (iceberg.PartitionSpec, table.SortOrder, error) {
	// Both are columns of every version: today gives the schema.
	surt, _ := schema.FindFieldByName("surt")
	stamp, _ := schema.FindFieldByName("timestamp")
	by := func(id int) table.SortField {
		return table.SortField{
			SourceIDs: []int{id}, Transform: iceberg.IdentityTransform{}, Direction: table.SortASC, NullOrder: table.NullsFirst,
		}
	}
	order, err := table.NewSortOrder(sortOrderID, []table.SortField{by(surt.ID), by(stamp.ID)})
	if err != nil {
		return iceberg.PartitionSpec{}, order, err
	}
	spec, err := iceberg.NewPartitionSpecOpts(iceberg.WithSpecID(1),
		iceberg.AddPartitionFieldBySourceID(stamp.ID, "timestamp_month", iceberg.MonthTransform{}, schema, nil))
	return spec, order, err
}

// reserve writes metadata down with reservedIDs as the greatest id that was given away.
func reserve(meta table.Metadata) ([]byte, error) {
	data, err := json.Marshal(meta)
	if err != nil {
		return nil, err
	}
	// Raw, so that nothing but this one field is written otherwise than the library has it.
	var m map[string]json.RawMessage
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	// The builder counts the columns of the schema. The field itself is of the format, and a greater value
	// is allowed.
	m["last-column-id"] = json.RawMessage(fmt.Sprint(reservedIDs))
	return json.Marshal(m)
}
