# SPDX-License-Identifier: GPL-2.0 or MIT
#
# What the shell of make shell begins with.

. /etc/terminal
. /tests/ports.sh
export PATH=/bin:/sbin:/usr/bin:/usr/sbin:/programs HOME=/root TERM TERMINFO=/etc/terminfo
[ -z "$ROWS" ] || stty rows "$ROWS" cols "$COLUMNS"
unset ROWS COLUMNS

# host qom-set gpu0 PROPERTY VALUE, host qom-get gpu0 PROPERTY, host truth-count REGEX
host() {
	ask "$@"
	echo "$_reply"
}

# The guest is not told when the terminal gets another size.
resize() {
	ask size
	# shellcheck disable=SC2086 # "ok ROWS COLUMNS"
	set -- $_reply
	stty rows "$2" cols "$3"
}

PS1='guest:$PWD# '
# The runner keeps the files of this folder.
cd /out
cat <<'END'
The tools are in the PATH: panthor-perf stat, top, record -o run.ptprf. "exit" ends the guest.
"resize" takes the terminal's size when it has changed.
END
[ ! -e /bin/inside ] || cat <<'END'
Programs of the system on the disk: inside vulkaninfo --summary; "inside" alone is a shell there.
END
# From here on, the runner hands over what is typed. Ctrl-C may be among it: PATH, prompt and functions are there.
ask ready
