# SPDX-License-Identifier: GPL-2.0 or MIT
# The command line tool in all its ways. The samples in /out/NAME.SAMPLES.ERRORS.raw are compared with
# the truth outside.
. /tests/lib.sh

wait_for 10 render_node
check "all counters" sh -c 'panthor-perf stat -n 5 -I 20 --raw /out/all.5.0.raw >/out/all.txt'
check_eq "a summary in each sample" "$(grep -c '^  core_util ' /out/all.txt)" 5
check "all by name" sh -c 'panthor-perf stat -a -n 2 -I 20 --raw /out/names.2.0.raw >/out/names.txt'
check_eq "all by name: in each sample" "$(grep -c '^  MaliFragWarp  *[0-9,]* warps ' /out/names.txt)" 2
check "some by name" sh -c \
	'panthor-perf stat -n 3 -I 20 -e malifragwarp,alu_util,shader:63 -e "MaliTiler*" --per-instance --raw /out/named.3.0.raw >/out/named.txt'
check_eq "some by name: each core" "$(grep -c '^    shader\[1\] ' /out/named.txt)" 9
mkdir -p /out/runs
check "runs" sh -c 'panthor-perf stat -r 3 --csv --raw /out/runs/stat.raw >/out/runs.csv'
check "runs: each of three" grep -q '^gpu_active,3,' /out/runs.csv
check "JSON" sh -c 'panthor-perf stat -n 2 -I 20 --json >/out/stat.json'
check "woken for several samples" sh -c \
	'timeout 30 panthor-perf stat -I 5 -n 40 --wakeup 8,100 --raw /out/woken.40.0.raw >/out/woken.txt'
check "the GPU may sleep" sh -c \
	'timeout 30 panthor-perf stat -n 3 --allow-suspend >/out/sleepy.txt'
check "compact samples" sh -c \
	'timeout 30 panthor-perf stat -n 3 -I 20 --compact -e core_util,MaliFragWarp --per-instance --raw /out/compact.3.0.raw >/out/compact.txt'
check_eq "compact samples: each core" "$(grep -c '^    shader\[1\] ' /out/compact.txt)" 6
# By the generation of the GPU.
case $(dmesg | sed -n "s/.*panthor $(basename "$(gpu)"): .* id 0x\(.\).*/\1/p" | tail -n 1) in
a) named=160 ;;
b) named=179 ;;
c) named=190 ;;
d) named=212 ;;
*) named=281 ;;
esac
check_eq "list" "$(panthor-perf list --names | wc -l)" "$((named + $(panthor-perf list -D --names | wc -l)))"
check_not "top without a terminal" panthor-perf top
check "some counters" sh -c \
	'panthor-perf stat -n 3 -I 20 -e shader:4,shader:63 -e tiler:10-12 --raw /out/some.3.0.raw >/out/some.txt'
check "a command" sh -c 'panthor-perf stat --raw /out/command.1.0.raw -- sleep 0.2 >/out/command.txt'
panthor-perf stat -- sh -c 'exit 7' >/dev/null
check_eq "the command's exit status" $? 7
panthor-perf stat -n 1 -- /does/not/exist >/dev/null
check_eq "a command that does not exist" $? 127
check "a small ring" sh -c 'panthor-perf stat -n 12 -I 10 --slots 4 --raw /out/small.12.0.raw >/out/small.txt'
check "without an interval" sh -c 'panthor-perf stat -n 20 -I 0 --raw /out/fast.20.0.raw >/out/fast.txt'

panthor-perf stat -n 6 -I 50 --raw /out/first.6.0.raw >/out/first.txt &
first=$!
panthor-perf stat -n 9 -I 30 -e memsys:* --raw /out/second.9.0.raw >/out/second.txt &
second=$!
panthor-perf stat -n 2 -I 100 --raw /out/third.2.0.raw >/out/third.txt
check_eq "three at a time: third" $? 0
wait $first
check_eq "three at a time: first" $? 0
wait $second
check_eq "three at a time: second" $? 0

check_not "a counter that does not exist" panthor-perf stat -e shader:64000
check_not "a header counter" panthor-perf stat -e shader:0
check_not "a block type that does not exist" panthor-perf stat -e toaster:5
check_not "slots that are no power of two" panthor-perf stat --slots 3
