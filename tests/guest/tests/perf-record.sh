# SPDX-License-Identifier: GPL-2.0 or MIT
# Recordings, and what reads them. The samples in /out/NAME.SAMPLES.ERRORS.raw, and those in folders of /out,
# are compared with the truth outside: a recording is a raw sample file.
. /tests/lib.sh

wait_for 10 render_node
mkdir -p /out/ended /small
period=$(patient 5)

# has FILE REGEX
has() {
	grep -qE -- "$2" "$1"
}

# has_samples FILE: more than ten, whatever was written before them
has_samples() {
	[ "$(wc -c <"$1" 2>/dev/null || echo 0)" -gt 150000 ]
}

# By periods.
check "record: 200 periods" sh -c \
	"panthor-perf record -n 200 -I $period -o /out/periods.200.0.raw 2>/out/periods.txt"
check "record: the data quality" has /out/periods.txt '^200 samples, 0 with ERROR, 0 with OVERFLOW, .* none lost'
check "record: some counters and a command" sh -c \
	"panthor-perf record -I $period -e MaliGPUActiveCy,shader:4-9 -n 40 -o /out/ended/some.raw -- sleep 0.3"
panthor-perf record -q -I "$period" -o /out/ended/exit.raw -- sh -c 'exit 7'
check_eq "record: the command's exit status" $? 7

# Ended by a signal, by a full disk, by force.
panthor-perf record -I "$period" -o /out/ended/signal.raw 2>/out/signal.txt &
pid=$!
wait_for 60 has_samples /out/ended/signal.raw
kill -INT $pid
wait $pid
check_eq "record: SIGINT is an end like another" $? 0
check "record: SIGINT: the data quality" has /out/signal.txt '^[1-9][0-9]+ samples, 0 with ERROR.* none lost'
mount -t tmpfs -o size=1m tmpfs /small
panthor-perf record -I "$period" -n 100000 -o /small/full.raw 2>/out/full.txt
check_eq "record: a full disk" $? 1
check "record: a full disk is told" has /out/full.txt 'No space left on device'
check "record: what was written before can be read" sh -c 'panthor-perf report /small/full.raw >/out/full-report.txt'
check "record: and it is many samples" has /out/full-report.txt '^quality +[1-9][0-9]+ samples, 0 with ERROR'
cp /small/full.raw /out/ended/full.raw
umount /small
panthor-perf record -q -I "$period" -o /tmp/killed.raw &
pid=$!
wait_for 60 has_samples /tmp/killed.raw
kill -KILL $pid
wait $pid
check "record: a killed program leaves what it had written" sh -c \
	'panthor-perf report /tmp/killed.raw 2>/out/killed.txt | grep -qE "^quality +[1-9][0-9]+ samples"'
check "record: and it is told that there is no end" has /out/killed.txt 'the recording was not finished'
rm -f /tmp/killed.raw

# Compact samples of some counters, many of which are read at once: the same counters as whole samples have, and a
# smaller file.
some=core_util,ext_rd_bw,MaliFragWarp
check "record: compact samples" sh -c \
	"panthor-perf record -n 200 -I $period -e $some --compact --wakeup 16,200 -o /out/compact.200.0.raw 2>/out/compact.txt"
check "record: compact samples: the data quality" has /out/compact.txt '^200 samples, 0 with ERROR, 0 with OVERFLOW, .* none lost'
check "record: whole samples of the same" panthor-perf record -q -n 200 -I "$period" -e $some -o /out/whole.200.0.raw
panthor-perf report --csv -i /out/whole.200.0.raw | cut -d, -f1-5 >/out/whole.csv
panthor-perf report --csv -i /out/compact.200.0.raw | cut -d, -f1-5 >/out/compact.csv
check "report: of compact samples the same counters" cmp /out/whole.csv /out/compact.csv
cores=$(grep -c '^MaliFragWarp,shader,9,[0-9]' /out/whole.csv)
slices=$(grep -c '^MaliExtBusRdBt,memsys,32,[0-9]' /out/whole.csv)
check_ge "report: of compact samples each core" "$cores" 2
check_eq "record: bytes of a compact sample: three counters of a core, one of a slice" \
	"$(od -A n -t u4 -j 28 -N 4 /out/compact.200.0.raw | tr -d ' ')" $((80 + slices * (8 + 8) + cores * (8 + 3 * 8)))
check_not "report: of compact samples nothing else" panthor-perf report -e tiler:4 /out/compact.200.0.raw
check "export: compact samples" panthor-perf export --perfetto /out/compact.200.0.raw -o /out/compact.perfetto-trace

# The GPU may sleep: what it counts when somebody wakes it up is in the recording.
enables=$(host truth-count '^enable')
panthor-perf record -I "$period" -e $some --compact --allow-suspend -o /out/ended/asleep.raw 2>/out/asleep.txt &
pid=$!
check "record: the counters were on" wait_for 20 more enable "$enables"
check "record: the GPU sleeps meanwhile" wait_for 10 status_is suspended
check "record: somebody wakes it up" sh -c 'panthor-perf stat -n 4 -I 100 >/dev/null'
check "record: it sleeps again" wait_for 10 status_is suspended
kill -INT $pid
wait $pid
check_eq "record: a sleeping GPU is no error" $? 0
check "record: a sleeping GPU is told" has /out/asleep.txt ' 0 with ERROR, .* none lost; events .*suspend'

# By marks, as a layer does that serialises the work of a program: mark, work, mark.
four_marks >/tmp/layer
check "record: marks" sh -c 'panthor-perf record -q --mark /tmp/mark --mark-ack /tmp/ack \
	-o /out/marks.5.0.raw -- sh /tmp/layer'
check "record: FIFOs that it made are gone" test ! -e /tmp/mark -a ! -e /tmp/ack
panthor-perf report --by-mark --csv -e shader:53 /out/marks.5.0.raw >/out/marks.csv
check_eq "report: a row per mark" "$(cut -d, -f4,8 /out/marks.csv | tr '\n' ' ')" \
	'user_data,mark 10,frame 10 11,frame 11 12,frame 12 13,frame 13 '

# What reads recordings.
check "report" sh -c 'panthor-perf report /out/periods.200.0.raw >/out/report.txt'
check "report: names, units" has /out/report.txt '^MaliGPUActiveCy +[0-9,]+ .* cycles'
check "report: JSON" sh -c 'panthor-perf report --json /out/periods.200.0.raw >/out/report.json'
check "report: CSV, block by block" sh -c 'panthor-perf report --csv -i /out/periods.200.0.raw >/out/report.csv'
check "export" panthor-perf export --perfetto /out/periods.200.0.raw -o /out/trace.perfetto-trace
check "export: the trace has packets" test -s /out/trace.perfetto-trace
panthor-perf plot /out/periods.200.0.raw -o /out/plot.svg 2>/out/plot.txt
check_eq "plot: without gnuplot" $? 1
check "plot: it is told what is missing" has /out/plot.txt 'there is no gnuplot here'
check "plot: a script for elsewhere" panthor-perf plot /out/periods.200.0.raw -o /out/plot.gp
check "diff" sh -c 'panthor-perf diff /out/periods.200.0.raw /out/ended/signal.raw >/out/diff.txt'
check "diff: lines of both" has /out/diff.txt '^MaliGPUActiveCy '
