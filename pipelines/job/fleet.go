package job

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/run"
)

// load is the work for which machines are suggested.
type load struct {
	units  int
	cpu    float64 // seconds of a core
	output int64   // bytes
}

// A machine takes some minutes to start, so it gets at least 20 minutes of work. Units are not divided further, so each
// vCPU gets four, or a slow one delays the end. A job may have 1,000 machines.
const (
	leastWork     = 20 * 60
	unitsPerVCPU  = 4
	mostMachines  = 1000
	smallestDisk  = 30 // GB, as Google advises, for the system, the container and logs
	machine       = "n2-standard-4"
	machineVCPUs  = 4
	bytesPerGiB   = 1 << 30
	scalingByWork = "THROUGHPUT_BASED"
)

// fleetText returns the flags for machines that fit the work and were not given, or "".
//
// Without them Beam's SDK asks for one machine, and the service adds others by what it sees. The plan knows the work,
// so the job begins with all machines, and the service takes away those that are idle in the end.
func fleetText(f run.Fleet, w load) string {
	vcpus := f.VCPUs
	if f.Machine == "" {
		vcpus = machineVCPUs
	}
	if vcpus == 0 {
		return "" // the size of this machine is not known
	}
	fit := min(w.cpu/float64(vcpus*leastWork), float64(w.units)/float64(vcpus*unitsPerVCPU), mostMachines)
	enough := max(int(math.Ceil(fit)), 1)
	most := cmp.Or(f.Most, max(f.Begin, enough))
	// A machine does as many units at once as it has vCPUs. Each may be written twice, for the file and its next version.
	perUnit := float64(w.output) / float64(max(w.units, 1))
	disk := smallestDisk + int(math.Ceil(2*perUnit*float64(vcpus)/bytesPerGiB))
	var flags []string
	add := func(given bool, flag string, value any) {
		if !given {
			flags = append(flags, fmt.Sprintf("--%s=%v", flag, value))
		}
	}
	add(f.Machine != "", "worker_machine_type", machine)
	add(f.Begin > 0, "num_workers", min(enough, most))
	add(f.Most > 0, "max_num_workers", most)
	add(f.Scaling != "", "autoscaling_algorithm", scalingByWork)
	add(f.DiskGB > 0, "disk_size_gb", disk)
	if len(flags) == 0 {
		return ""
	}
	return "flags that fit this plan: " + strings.Join(flags, " ") + "\n"
}
