# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Helpers that the shell scripts share. A script sets TOP, the top of the checkout, and sources it:
#
#	TOP=$(cd "$(dirname "$0")/.." && pwd)
#	. "$TOP/scripts/lib/lib.sh"
#
#	die MESSAGE			one error line, then exit 1
#	note MESSAGE			one line of progress, on standard error
#	show_help FILE			print the comment block below the SPDX line of a script
#	stage NAME COMMAND...		run COMMAND, print "stage NAME SECONDS CPU-SECONDS"
#	options NAME... -- ARGUMENT...	read a script's arguments: --NAME sets the variable NAME to 1,
#					with NAME= to the argument behind it; "..." as a name allows
#					words, which go to ARGUMENTS; --help shows the script's help;
#					die at others, and if --vmali has a word that is no property
#	watched LOG COMMAND...		run COMMAND into LOG with a line of progress now and then
#	run_logged LOG COMMAND...	the same; when it fails, show the first errors in LOG, or its end
#	name_sources LOG		in LOG, give copies of the driver's files the names of the checkout's
#	need COMMAND...			die unless the commands exist
#	need_writable			die unless build/ and the cache can be written
#	need_writable_build		die unless build/ can be written
#	need_disk MIB FOLDER		die unless FOLDER can be written and its file system has MIB MiB free
#	lock_folder FOLDER		wait until no other script works in FOLDER, and have others wait
#	fill FOLDER COMMAND...		fill a cache folder once: COMMAND gets a temporary folder, which
#					takes its final name only when COMMAND succeeded
#	forget_old PREFIX...		of the cache folders PREFIX* remove all but the two used last
#	keep_newest COUNT PREFIX...	... all but the COUNT used last
#	with_load FILE PROPS		print PROPS, with the load FILE unless they say what the virtual GPU counts;
#					likewise of several GPUs, PROPS;PROPS
#	kernel_of TREE			print the series of a kernel source tree (7.3)
#	hash_of PATH...			16 digits that change when a name or content below PATH changes
#	host_mirror			print the URI of the Debian archive that the host uses
#	apt_private NAME TYPES ARCH...	a private apt configuration that leaves the host's state alone,
#					for the host's release or, if APT_SUITE is set, for that suite
#	papt COMMAND...			run an apt command under it
#	apt_update			refresh its lists; non-zero when the archive is out of reach
#
# PANTHOR_PERF_KERNEL is the kernel that scripts work for: a series of scripts/kernels.list (7.3). Without it
# that is 6.12. Each other series has a build folder of its own, build/linux-SERIES.
#
# With PANTHOR_PERF_MAINLINE=1, scripts/build/build-debug-kernel.sh, kunit.py and the tools take the kernel with the
# patches of scripts/series.py in place of the component, in build/linux-SERIES-mainline. With PANTHOR_PERF_PATCHES=N,
# too, that kernel has the patches of the first N series alone, and so have the suites of kunit.py. The tools know all.
#
# Caches survive `make clean`: they live in $PANTHOR_PERF_CACHE, or ~/.cache/panthor-perf.
# shellcheck shell=sh

PROG=$(basename "$0" .sh)
CACHE=${PANTHOR_PERF_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/panthor-perf}
DEFAULT_SERIES=6.12
SERIES=${PANTHOR_PERF_KERNEL:-$DEFAULT_SERIES}
BUILD=$TOP/build
[ "$SERIES" = $DEFAULT_SERIES ] || BUILD=$TOP/build/linux-$SERIES
if [ -n "${PANTHOR_PERF_MAINLINE:-}" ]; then
	BUILD=$BUILD-mainline
	export PANTHOR_UAPI="$BUILD/series/tree/include/uapi/drm"
fi
# What a folder of the cache has behind its name.
# shellcheck disable=SC2034 # for those who source this
OF_SERIES=${BUILD#"$TOP/build"}
OF_SERIES=${OF_SERIES#/linux}
JOBS=${JOBS:-$(nproc 2>/dev/null || echo 1)}
export LC_ALL=C

# A comma in a value of QEMU's is doubled.
with_load() {
	case ,$2 in
	*\;*) echo "$(with_load "$1" "${2%%;*}");$(with_load "$1" "${2#*;}")" ;;
	*,counters=*) echo "$2" ;;
	*) echo "counters=load,load=$(echo "$1" | sed 's/,/,,/g')${2:+,$2}" ;;
	esac
}

die() {
	echo "$PROG: $*" >&2
	exit 1
}

[ "$SERIES" != $DEFAULT_SERIES ] || [ -z "${PANTHOR_PERF_MAINLINE:-}" ] ||
	die "PANTHOR_PERF_MAINLINE: set PANTHOR_PERF_KERNEL to 7.2 or later, too"
case $SERIES in
*[!0-9.]*) die "kernel '$SERIES': not a series such as $DEFAULT_SERIES" ;;
esac

note() {
	echo "$PROG: $*" >&2
}

show_help() {
	awk 'NR > 1 && !/^#/ { exit }
	     /^# SPDX/ { on = 1; getline; next }
	     on { sub(/^# ?/, ""); print }' "$1"
}

# A name of letters alone is safe for eval.
options() {
	_known=
	while [ "$1" != -- ]; do
		_known="$_known $1"
		shift
	done
	_known="$_known "
	shift
	ARGUMENTS=
	while [ $# -gt 0 ]; do
		case $1 in
		--help | -h)
			show_help "$0"
			exit 0
			;;
		--*[!a-z]*) _name= ;;
		--*) _name=${1#--} ;;
		-* | '') _name= ;;
		*) _name=... ;;
		esac
		case $_known in
		*" $_name= "*)
			[ $# -ge 2 ] || die "$1 needs a value"
			eval "$_name=\$2"
			# shellcheck disable=SC2154 # It is the script's.
			[ "$_name" != vmali ] ||
				vmali=$(PYTHONPATH="$TOP/scripts/lib" python3 -B -m panthor_perf.vmali "$vmali") ||
				die "--vmali: $vmali"
			shift
			;;
		*" $_name "*)
			if [ "$_name" = ... ]; then
				ARGUMENTS="$ARGUMENTS $1"
			else
				eval "$_name=1"
			fi
			;;
		*) die "unknown argument '$1'; --help shows the usage" ;;
		esac
		shift
	done
}

# Clock ticks that the children of this shell have spent so far.
cpu_ticks() {
	sed 's/.*) //' /proc/$$/stat | awk '{ print $14 + $15 }'
}

stage() {
	_stage=$1
	shift
	_start=$(date +%s)
	_ticks=$(cpu_ticks)
	_rc=0
	"$@" || _rc=$?
	_line="stage $_stage $(($(date +%s) - _start)) $((($(cpu_ticks) - _ticks) / $(getconf CLK_TCK)))"
	[ "$_rc" -eq 0 ] || _line="$_line, broken"
	echo "$_line"
	return "$_rc"
}

# A long step keeps its output in a log; every 20 s one line shows how far the log is. scripts/check.py
# does that for jobs side by side. The sleep may outlive the step: it must not hold the lock (fd 9).
watched() {
	_log=$1
	shift
	mkdir -p "$(dirname "$_log")"
	if [ -n "${PANTHOR_PERF_IN_JOB:-}" ]; then
		("$@") >"$_log" 2>&1 </dev/null
		return
	fi
	"$@" >"$_log" 2>&1 </dev/null &
	_pid=$!
	(
		_seconds=0
		while sleep 20 >/dev/null 2>&1; do
			_seconds=$((_seconds + 20))
			_last=$(tail -n 1 "$_log" | tr -d '\r' | cut -c 1-70)
			note "... $_seconds s${_last:+: $_last}"
		done
	) </dev/null 9>&- &
	_ticker=$!
	_watched=0
	wait "$_pid" || _watched=$?
	_pid=
	kill "$_ticker" 2>/dev/null || :
	wait "$_ticker" 2>/dev/null || :
	return "$_watched"
}

# The driver is built in copies, which the next build replaces.
name_sources() {
	(cd "$TOP" && find drivers include -name 'panthor_perf*.[ch]') | while read -r _file; do
		printf '%s\n' "s#(^|[ (])[^ (]*\b${_file##*/}([:,])#\1$_file\2#"
	done >"$1.names"
	sed -i -E -f "$1.names" "$1"
	rm -f "$1.names"
}

run_logged() {
	watched "$@" && return 0
	name_sources "$1"
	# With the lines in front that say which file includes it.
	_first=$(awk '/^(In file included|  *) *from / { if (!from) from = NR; next }
		/: (fatal )?error: |^ERROR: modpost: / { print from ? from : NR; exit } { from = 0 }' "$1")
	if [ -n "$_first" ]; then
		tail -n "+$_first" "$1" | head -n 25 >&2
	else
		tail -n 25 "$1" >&2
	fi
	note "failed; the whole log is $1"
	return 1
}

need() {
	for _cmd in "$@"; do
		command -v "$_cmd" >/dev/null 2>&1 ||
			die "command $_cmd is missing: run scripts/deps.sh${DEPS_OPTION:+ $DEPS_OPTION}, which names and installs the packages"
	done
}

need_folder() {
	mkdir -p "$1" 2>/dev/null && [ -w "$1" ] || die "cannot write $1: $2"
}

need_writable_build() {
	need_folder "$TOP/build" "use a checkout in a folder you may write"
}

need_writable() {
	need_writable_build
	need_folder "$CACHE" "set PANTHOR_PERF_CACHE to a folder you may write"
}

need_disk() {
	need_folder "$2" "set PANTHOR_PERF_CACHE to a folder you may write"
	_free=$(df -Pm "$2" | awk 'NR == 2 { print $4 }')
	[ "$_free" -ge "$1" ] ||
		die "$2 has $_free MiB free, $1 MiB are needed: free some or set PANTHOR_PERF_CACHE"
}

lock_folder() {
	mkdir -p "$1"
	exec 9>"$1/lock"
	flock -n 9 || {
		note "another script works in $1: waiting"
		flock 9
	}
}

# Several scripts may want the same folder at once: one fills it, the others wait.
fill() {
	_dir=$1
	shift
	[ -d "$_dir" ] && return 0
	mkdir -p "$(dirname "$_dir")"
	(
		flock 9 || exit 1
		[ -d "$_dir" ] && exit 0
		rm -rf "$_dir".tmp.*
		_tmp=$(mktemp -d "$_dir.tmp.XXXXXX") || exit 1
		chmod 755 "$_tmp"
		trap 'rm -rf "$_tmp"' EXIT
		trap 'exit 1' HUP INT TERM
		"$@" "$_tmp" || exit 1
		mv -T "$_tmp" "$_dir"
	) 9>"$_dir.lock" || die "could not fill $_dir"
}

# Used is what the caller touches. It holds the lock that everybody takes who would need another one.
keep_newest() {
	_count=$1
	shift
	for _prefix; do
		ls -1dt "$_prefix"*/ 2>/dev/null | tail -n +$((_count + 1)) | while read -r _old; do
			note "removing ${_old%/}, which was not used for long"
			rm -rf "${_old%/}" "${_old%/}.lock"
		done
	done
}

forget_old() {
	keep_newest 2 "$@"
}

kernel_of() {
	sed -n -E '1,9s/^(VERSION|PATCHLEVEL) = ([0-9]+)$/\2/p' "$1/Makefile" 2>/dev/null | paste -sd .
}

hash_of() {
	for _path in "$@"; do
		find "$_path" -type f | sort | while read -r _file; do
			echo "$_file" | sed "s|^$TOP/||"
			sha256sum <"$_file"
		done
	done | sha256sum | cut -c 1-16
}

# The host's own archives of main, a line each: URI and suite.
host_archives() {
	# shellcheck disable=SC1091
	_release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	# shellcheck disable=SC2016 # apt expands these
	apt-get indextargets --no-release-info --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' 2>/dev/null | sort -u |
		while read -r _uri _suite _component; do
			case $_suite,$_component in
			"$_release",main | "$_release"-updates,main | "$_release"-security,main | \
				"$_release"/updates,main) echo "$_uri $_suite" ;;
			esac
		done
}

host_mirror() {
	# shellcheck disable=SC1091
	host_archives | awk -v suite="$(. /etc/os-release && echo "${VERSION_CODENAME:-}")" \
		'$2 == suite { print $1; exit }'
}

# The sources are the host's own entries for its Debian release, its updates and its security suite, or
# its mirror's entry for another suite; of the host's other settings only those that say how to reach
# the archive are taken over.
apt_private() {
	APT_DIR=$CACHE/apt/$1
	_types=$2
	shift 2
	need apt-get dpkg-deb flock
	mkdir -p "$APT_DIR/lists/partial" "$APT_DIR/cache/archives/partial" "$APT_DIR/sources" \
		"$APT_DIR/parts"
	[ -f "$APT_DIR/status" ] || : >"$APT_DIR/status"
	# shellcheck disable=SC1091
	_release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	_key=/usr/share/keyrings/debian-archive-keyring.gpg
	if [ -n "${APT_SUITE:-}" ]; then
		_mirror=$(host_mirror)
		[ -z "$_mirror" ] || echo "$_mirror $APT_SUITE"
	else
		host_archives
	fi | while read -r _uri _suite; do
		echo "Types: $_types"
		echo "URIs: $_uri"
		echo "Suites: $_suite"
		echo "Components: main"
		[ ! -f "$_key" ] || echo "Signed-By: $_key"
		echo
	done >"$APT_DIR/sources/debian.sources.$$"
	mv "$APT_DIR/sources/debian.sources.$$" "$APT_DIR/sources/debian.sources"
	[ -s "$APT_DIR/sources/debian.sources" ] ||
		die "apt's sources name no Debian '$_release' main archive: add it to /etc/apt/sources.list"
	{
		apt-config dump | grep -E '^Acquire::(http|https|Check-|Retries|ForceIPv)' || :
		cat <<-END
		APT::Architecture "$1";
		$(for _arch in "$@"; do echo "APT::Architectures:: \"$_arch\";"; done)
		APT::Sandbox::User "root";
		Acquire::Languages "none";
		Debug::NoLocking "1";
		Dir::State::Lists "$APT_DIR/lists";
		Dir::State::status "$APT_DIR/status";
		Dir::Cache "$APT_DIR/cache";
		Dir::Etc::sourcelist "/dev/null";
		Dir::Etc::sourceparts "$APT_DIR/sources";
		Dir::Etc::Parts "$APT_DIR/parts";
		Dir::Etc::Main "/dev/null";
		Dir::Etc::preferences "/dev/null";
		Dir::Etc::preferencesparts "$APT_DIR/parts";
		END
	} >"$APT_DIR/apt.conf.$$"
	mv "$APT_DIR/apt.conf.$$" "$APT_DIR/apt.conf"
}

papt() {
	APT_CONFIG=$APT_DIR/apt.conf "$@"
}

apt_update() (
	flock 8 || exit 1
	papt apt-get -o APT::Update::Error-Mode=any update >"$APT_DIR/update.log" 2>&1
) 8>"$APT_DIR/lock"
