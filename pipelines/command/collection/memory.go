package collection

import "github.com/gleaner-web/gleaner/pipelines/cli"

// memories are the defaults of --memory, for the tasks that have it.
var memories = map[string]int64{"compact": 256 << 20, "index": 768 << 20, "takedown": 768 << 20}

// indexMemory returns the part of the memory for the index's databases, which the heap does not include.
func (j *job) indexMemory() int64 { return j.memory / 2 }

// besideSort is the heap that compact needs for reading and writing shards.
const besideSort = 128 << 20

// limitMemory makes the garbage collector keep the heap to the memory of a task.
func limitMemory(task string, memory int64) {
	switch task {
	case "compact":
		cli.CapMemory(memory + besideSort)
	case "index", "takedown":
		cli.CapMemory(memory / 2)
	}
}
