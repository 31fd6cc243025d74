# SPDX-License-Identifier: GPL-2.0 or MIT
# Debian's own Mesa, in /mesa, as the workload: a Vulkan program whose steps have known costs; then two of it and vkmark
# at once, with suspends in between. Recordings of all counters run beside them, which are compared with the truth
# outside.
#
# Needs counters=work,auto-samples=0 and what scripts/mesa.sh puts into the guest.
. /tests/lib.sh

wait_for 10 render_node
. /tests/mesa-lib.sh
mkdir -p /out/steps /out/beside
SUBMISSIONS=1000
counters=$(panthor-perf info >/dev/null 2>&1 && echo yes)
# begin_record FILE MS: all counters, until end_record
begin_record() {
	[ -n "$counters" ] || return 0
	panthor-perf record -I "$2" -o "$1" -- sleep 600 2>>/out/record.txt &
	recorder=$!
	check "the recording $1 has begun" wait_for 10 [ -s "$1" ]
	check "the counters are on" wait_for 10 counting
}
end_record() {
	[ -n "$counters" ] || return 0
	kill "$recorder"
	wait "$recorder"
}

# The last step with counters loses a device.
[ -z "$counters" ] || tolerate 'panthor .*(CS_FAULT|CS_FATAL|CSG slot|Unhandled Page fault|fault status)'
begin_record /out/steps/record.raw 2
again mesa /mesa-tests/vk-steps ${counters:+/out/steps/steps.raw}
check_eq "vk-steps" $? 0
if [ -n "$counters" ]; then
	# The library's example: samples between submissions that nobody waits for.
	again mesa /mesa-tests/ordered $SUBMISSIONS >/out/ordered.txt
	check_eq "ordered" $? 0
	check_eq "submissions with the warps that they have, and with nothing missing" \
		"$(awk '/^submission .* cycles$/ && $2 == (n + 0) ":" && $6 == 4 * $3 { n++ } END { print n + 0 }' /out/ordered.txt)" \
		$SUBMISSIONS
fi
end_record

gl=
if [ -x /mesa/mesa-tests/gl-steps ]; then
	gl=yes
	mkdir -p /out/gl
	begin_record /out/gl/record.raw 2
	again mesa /mesa-tests/gl-steps ${counters:+/out/gl/steps.raw}
	check_eq "gl-steps" $? 0
	RUSTICL_ENABLE=panfrost mesa /usr/bin/clinfo -l >/out/clinfo.txt 2>&1
	check_eq "clinfo" $? 0
	check "OpenCL finds the GPU" grep -q Mali /out/clinfo.txt
	end_record
fi

begin_record /out/beside/record.raw 1
again mesa /mesa-tests/vk-steps >/out/first.txt &
first=$!
again mesa /mesa-tests/vk-steps >/out/second.txt &
second=$!
if [ -n "$gl" ]; then
	again mesa /mesa-tests/gl-steps >/out/third.txt &
	third=$!
	again mesa /mesa-tests/gl-steps >/out/fourth.txt &
	fourth=$!
	# That of Debian 13 has no such option.
	if mesa /usr/bin/kmscube --help 2>&1 | grep -q offscreen; then
		again mesa /usr/bin/kmscube -D /dev/dri/renderD128 --offscreen -v 256x256 --count=10 >/out/kmscube.txt 2>&1
		check_eq "kmscube" $? 0
	fi
	wait $third
	check_eq "gl-steps beside others" $? 0
	wait $fourth
	check_eq "gl-steps beside others, too" $? 0
fi
if [ -n "$counters" ]; then
	TERM=linux terminal /out/top.txt gpu_busy q panthor-perf top -I 100
	check_eq "panthor-perf top beside them" $? 0
	check "it shows how busy the GPU is" grep -q gpu_busy /out/top.txt
	check "panthor-perf stat beside them" sh -c 'panthor-perf stat -I 100 -n 5 >/out/stat.txt'
fi
wait $first
check_eq "vk-steps beside another" $? 0
wait $second
check_eq "vk-steps beside another, too" $? 0
again vkmark clear vertex >/out/vkmark.txt 2>&1
check_eq "vkmark" $? 0
end_record

# with_work TITLE COMMAND...: beside vk-steps, again and again
with_work() {
	_title=$1
	shift
	"$@" &
	_pid=$!
	while kill -0 $_pid 2>/dev/null; do
		mesa /mesa-tests/vk-steps >/dev/null
	done
	wait $_pid
	check_eq "$_title" $? 0
}
quick() {
	mesa /mesa-tools/panquick >/out/panquick.txt 2>/out/panquick.err
}
pps_dump() {
	mesa /mesa-tools/pps-config dump --sec=1 >/out/pps-config.txt 2>/out/pps-config.err
}
trace() {
	mesa /mesa-tools/perfetto --txt -c /tmp/trace.cfg -o /out/pps-producer.trace 2>/out/perfetto.err
}
if [ -x /mesa/mesa-tools/panquick ]; then
	export LD_LIBRARY_PATH=/mesa-tools
	# It counts for a second.
	with_work panquick quick
	# "." is any character.
	check "it has compute jobs" grep -qE '^Compute jobs .iter_comp_job_completed.: [1-9]' /out/panquick.txt
	check "pps-config knows panthor" sh -c 'chroot /mesa /mesa-tools/pps-config info | grep -q "panthor *yes"'
	chroot /mesa /mesa-tools/pps-config groups >/out/groups.txt
	check_eq "groups of pps-config" "$(grep -c '^ *[0-9]' /out/groups.txt)" 4
	chroot /mesa /mesa-tools/pps-config counters >/out/counters.txt
	check_eq "counters of pps-config" "$(grep -c '^ *[0-9]' /out/counters.txt)" \
		"$(grep -c ' ([a-z0-9_]*): [0-9]*$' /out/panquick.txt)"
	with_work "pps-config dump" pps_dump
	check "it has compute jobs" grep -qE '^ *Compute jobs +[1-9]' /out/pps-config.txt
fi
if [ -x /mesa/mesa-tools/traced ]; then
	export PERFETTO_PRODUCER_SOCK_NAME=/tmp/perfetto-producer PERFETTO_CONSUMER_SOCK_NAME=/tmp/perfetto-consumer
	cat >/tmp/trace.cfg <<-END
		buffers { size_kb: 8192 fill_policy: DISCARD }
		data_sources { config {
			name: "gpu.counters.panthor"
			gpu_counter_config { counter_period_ns: 200000000 }
		} }
		duration_ms: 2000
	END
	mesa /mesa-tools/traced >/out/traced.txt 2>&1 &
	traced=$!
	check "traced is there" wait_for 10 [ -S $PERFETTO_CONSUMER_SOCK_NAME ]
	mesa /mesa-tools/pps-producer >/out/pps-producer.txt 2>&1 &
	producer=$!
	with_work "a trace of pps-producer" trace
	kill $producer $traced
	wait $producer $traced
	check "the trace has something" [ -s /out/pps-producer.trace ]
fi

for round in 1 2 3; do
	check "suspended" wait_for 10 status_is suspended
	again mesa /mesa-tests/vk-steps >/out/again.txt
	check_eq "vk-steps behind a suspend" $? 0
done
check_eq "violations" "$(host qom-get gpu0 violations)" 0
check_eq "streams that were stopped" "$(host qom-get gpu0 faults)" "$([ -n "$counters" ] && echo 1 || echo 0)"
check_eq "accesses that are not there" "$(host qom-get gpu0 unimplemented)" 0
check_ge "shader programs that were executable" "$(host qom-get gpu0 programs)" 1
check_eq "shader programs that were none" "$(host qom-get gpu0 unknown-programs)" 0
check "suspended in the end" wait_for 10 status_is suspended
