# SPDX-License-Identifier: GPL-2.0 or MIT
#
# What the stages of scripts/check.py share. scripts/check/STAGE.sh --jobs lists the jobs of a stage;
# scripts/check/STAGE.sh RESULTS [JOB...] runs them or these, one by one, appends their "ok ...", "not ok ..." and
# "skip ..." lines to the file RESULTS, and fails if one of them is not ok.
#
#	job NAME [HOW...] -- COMMAND...
#				a part of the stage that can run beside others, but for what HOW says:
#				first: before those below it; after=JOB,STAGE/JOB: behind these, if they
#				are run at all; alone: beside nothing else; long: as soon as possible; low: at
#				low priority, since it only computes; nightly: only if the job or its stage is named
#	one TEXT COMMAND...	COMMAND is one result; its output is shown when it fails
#	many TEXT COMMAND...	COMMAND prints lines "ok", "not ok" and "skip", maybe in the form of TAP
#	adopt FILE		take over the results that a command left in FILE
#	finish			the stage's exit status
# shellcheck shell=sh

. "$TOP/scripts/lib/lib.sh"
case ${1:-} in
--jobs) RESULTS= ;;
'' | -*) die "started by scripts/check.py: --jobs, or a file for the results and jobs" ;;
*)
	RESULTS=$1
	shift
	;;
esac
SELECTED=$*
LOGS=$BUILD/check/log
mkdir -p "$LOGS"
[ -z "$RESULTS" ] || : >>"$RESULTS"

job() {
	_job=$1
	_how=
	shift
	while [ "$1" != -- ]; do
		_how="$_how $1"
		shift
	done
	shift
	if [ -z "$RESULTS" ]; then
		echo "$_job$_how"
		return
	fi
	case " ${SELECTED:-$_job} " in
	*" $_job "*) "$@" ;;
	esac
}

result() {
	echo "$*"
	echo "$*" >>"$RESULTS"
}

log_of() {
	echo "$LOGS/$(basename "$RESULTS" .results)-$(echo "$1" | tr -c '[:alnum:].\n' -).log"
}

one() {
	_what=$1
	shift
	_out=$(log_of "$_what")
	if watched "$_out" "$@"; then
		result "ok $_what"
	else
		tail -n 30 "$_out"
		result "not ok $_what - see $_out"
	fi
}

many() {
	_what=$1
	shift
	_out=$(log_of "$_what")
	_status=0
	note "$_what ..."
	watched "$_out" "$@" || _status=$?
	# TAP's numbers go, and its directive SKIP becomes a verdict.
	sed -n -E 's/^[[:space:]]*((not )?ok|skip) ([0-9]+ )?(- )?(.*)$/\1 \5/p' "$_out" |
		sed -E -e 's/^ok (.*[^ ]) *# *(SKIP|skip) */skip \1 - /' -e "s|^((not )?ok\|skip) |\1 $_what: |" \
			>"$_out.found"
	cat "$_out.found" >>"$RESULTS"
	grep -E '^(not ok|skip) ' "$_out.found" || :
	echo "$_what: $(grep -c '^ok ' "$_out.found" || :) ok"
	if [ "$_status" -ne 0 ] && ! grep -q '^not ok ' "$_out.found"; then
		tail -n 30 "$_out"
		result "not ok $_what - exit status $_status, see $_out"
	elif ! [ -s "$_out.found" ]; then
		tail -n 30 "$_out"
		result "not ok $_what - no results, see $_out"
	fi
	rm -f "$_out.found"
}

adopt() {
	if [ -s "$1" ]; then
		cat "$1" >>"$RESULTS"
	else
		result "not ok $1 - the results are missing"
	fi
}

finish() {
	[ -z "$RESULTS" ] || ! grep -q '^not ok ' "$RESULTS"
}
