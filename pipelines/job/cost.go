package job

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// dataflowText estimates what Dataflow would need for work. The user gives the prices, because they differ by region
// and contract, and change.
func dataflowText(c plan.Prices, w load) string {
	f := run.DataflowFleet()
	var b strings.Builder
	fmt.Fprintf(&b, "Dataflow: machines %s, %s at first, at most %s\n",
		cmp.Or(f.Machine, "of the service's choice"), number(max(f.Begin, 1)), number(f.Most))
	hours := w.cpu / 3600
	fmt.Fprintf(&b, "vCPU-hours %s, if a vCPU is as fast as the core that this was measured on and never waits\n",
		amount(hours))
	// A fleet of the service's choice has no known size.
	if most := cmp.Or(f.Most, f.Begin); most*f.VCPUs > 0 {
		fmt.Fprintf(&b, "%s on %d vCPUs, after some minutes in which the machines start\n",
			duration(w.cpu/float64(most*f.VCPUs)), most*f.VCPUs)
	}
	if c.VCPUHour+c.GBHour > 0 {
		b.WriteString(costText(c, f, hours))
	}
	b.WriteString(fleetText(f, w))
	return b.String()
}

func costText(c plan.Prices, f run.Fleet, hours float64) string {
	// Dataflow bills a machine's whole memory, whether used or not.
	if c.GBHour > 0 && f.GBPerCPU == 0 {
		return "cost unknown: name a --worker_machine_type whose memory is known, such as n2-standard-8\n"
	}
	vcpu, memory := hours*c.VCPUHour, hours*f.GBPerCPU*c.GBHour
	return fmt.Sprintf("cost %s: vCPUs %s, memory %s (%s GB-hours), by the prices given; disks, shuffled data, storage "+
		"and traffic come on top\n",
		amount(vcpu+memory), amount(vcpu), amount(memory), amount(hours*f.GBPerCPU))
}

// amount formats a number with two significant digits, or with all digits before the point.
func amount(v float64) string {
	if v >= 10 {
		return cli.FormatCount(int64(v + 0.5))
	}
	return fmt.Sprintf("%.2g", v)
}

func number(n int) string {
	if n == 0 {
		return "the service's choice"
	}
	return fmt.Sprint(n)
}

// duration formats an estimated time with about two digits, and at least one second.
func duration(seconds float64) string {
	switch {
	case seconds < 90:
		return fmt.Sprintf("%.0f s", max(seconds, 1))
	case seconds < 5400:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.1f h", seconds/3600)
}
