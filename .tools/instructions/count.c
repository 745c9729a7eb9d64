// A plugin of QEMU 7.2 and later that counts executed instructions by the address of their block. It writes "address
// count" lines to the file in $COUNTS. The declarations are those of qemu-plugin.h, which Debian does not ship.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct qemu_plugin_tb;
int qemu_plugin_version = 1;
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t, void (*)(uint64_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int, void *, uint64_t);
void qemu_plugin_register_atexit_cb(uint64_t, void (*)(uint64_t, void *), void *);

struct block {
	uint64_t address, length, runs;
	struct block *next;
};
static struct block *blocks;

static void translated(uint64_t id, struct qemu_plugin_tb *tb)
{
	struct block *b = calloc(1, sizeof *b);
	if (!b)
		abort();
	b->address = qemu_plugin_tb_vaddr(tb);
	b->length = qemu_plugin_tb_n_insns(tb);
	do
		b->next = blocks;
	while (!__sync_bool_compare_and_swap(&blocks, b->next, b));
	qemu_plugin_register_vcpu_tb_exec_inline(tb, 0, &b->runs, 1);
}

static void ended(uint64_t id, void *data)
{
	FILE *f = fopen(getenv("COUNTS"), "w");
	if (!f)
		abort();
	for (struct block *b = blocks; b; b = b->next)
		if (b->runs)
			fprintf(f, "%" PRIu64 " %" PRIu64 "\n", b->address, b->length * b->runs);
	fclose(f);
}

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, ended, 0);
	return 0;
}
