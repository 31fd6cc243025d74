# SPDX-License-Identifier: GPL-2.0 or MIT
#
# For stages with jobs of make demo. To be sourced behind stage.sh.
# shellcheck shell=sh

# Of each of two sessions, and of the recording.
SAMPLES=8
RECORDED=120
ALL=$((2 * SAMPLES + RECORDED))

# demo NAME COUNTERS [PROPS]: COUNTERS is the number of a sample's counters that are compared.
demo() {
	_want="demo: $ALL samples, $(($2 * ALL)) counters compared with the GPU's own totals, 0 differ"
	_log=$LOGS/demo-$1.log
	_rc=0
	"$TOP/scripts/demo.sh" --name "demo-$1" --samples $SAMPLES --recorded $RECORDED ${3:+--vmali "$3"} >"$_log" 2>&1 </dev/null ||
		_rc=$?
	_last=$(tail -n 1 "$_log")
	if [ $_rc -eq 0 ] && [ "$_last" = "$_want" ]; then
		result "ok demo $1: ${_last#demo: }"
	else
		tail -n 20 "$_log"
		result "not ok demo $1 - exit status $_rc, last line '$_last', want '$_want', see $_log"
	fi
}

# falsified NAME PROPS BLOCK COUNTER: has to fail, and to say where.
falsified() {
	_log=$LOGS/demo-$1.log
	_rc=0
	"$TOP/scripts/demo.sh" --name "demo-$1" --samples $SAMPLES --recorded $RECORDED --vmali "$2" >"$_log" 2>&1 </dev/null ||
		_rc=$?
	_last=$(tail -n 1 "$_log")
	if [ $_rc -ne 0 ] && grep -F "$3" "$_log" | grep -q "counter $4\b" &&
		echo "$_last" | grep -q "^demo: $ALL samples, .* [1-9][0-9]* differ$"; then
		result "ok demo $1: found $3 counter $4"
	else
		tail -n 20 "$_log"
		result "not ok demo $1 - exit status $_rc, last line '$_last', see $_log"
	fi
}
