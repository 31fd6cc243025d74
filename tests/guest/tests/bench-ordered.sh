# SPDX-License-Identifier: GPL-2.0 or MIT
# Figures of the machine for scripts/bench.py: voluntary context switches of a program that has a sample taken between
# each two of its command streams: by fences, with waits of the CPU, and by polling. Lines of /out/bench.txt:
# "switches-WAY SUM BATCHES MOST", the last of one batch.
. /tests/lib.sh

RUNS=5
[ ! -e /etc/bench ] || . /etc/bench
STREAMS=310
wait_for 10 render_node
# Of a group without a slot: cs.h.
tolerate 'job timeout'
tolerate 'CSG [0-9]* update request timedout'
for run in $(seq $RUNS); do
	check "command streams, run $run of $RUNS" sh -c "PERF_WAYS=1 perf-ordered $STREAMS /tmp >/tmp/ordered"
	sed -n -e 's/waits of the CPU:/fence:/' \
		-e 's/^\([a-z]*\):.*; \([0-9]*\) voluntary .* in \([0-9]*\) batches, at most \([0-9]*\) .*/switches-\1 \2 \3 \4/p' \
		/tmp/ordered >>/out/bench.txt
done
check_eq "figures" "$(grep -c '^switches-' /out/bench.txt)" $((3 * RUNS))
