#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# The arguments of scripts: options of scripts/lib/lib.sh. Prints ok and not ok lines.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

cat >"$folder/script" <<END
#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: script
set -eu
TOP=$top
. "$top/scripts/lib/lib.sh"
names=\$1
shift
flag= value=default vmali=
options \$names -- "\$@"
[ -z "\$vmali" ] || { echo "\$vmali" && exit; }
echo "\$flag,\$value,\$ARGUMENTS"
END

# gets NAME WANT NAMES ARGUMENT...
gets() {
	_name=$1
	_want=$2
	shift 2
	_got=$(sh "$folder/script" "$@" 2>&1)
	if [ "$_got" = "$_want" ]; then
		echo "ok $_name"
	else
		echo "not ok $_name - '$_got', want '$_want'"
		failed=1
	fi
}

usage="; --help shows the usage"
gets "none" ",default," "flag value="
gets "a flag and a value" "1,x * \$(y)," "flag value=" --flag --value 'x * $(y)'
gets "an empty value" ",," "flag value=" --value ''
gets "words between options" "1,v, a b" "flag value= ..." a --flag b --value v
gets "the help" "usage: script" "flag value=" --flag -h
gets "no value" "script: --value needs a value" "flag value=" --value
gets "an unknown option" "script: unknown argument '--other'$usage" "flag value= ..." --other
gets "a value with =" "script: unknown argument '--value=1'$usage" "flag value= ..." --value=1
gets "a word" "script: unknown argument 'flag'$usage" "flag value=" flag
gets "an empty word" "script: unknown argument ''$usage" "flag value= ..." ''
gets "two names in one" "script: unknown argument '--flag value'$usage" "flag value" '--flag value'
# The properties of the virtual GPU
gets "blanks around properties" "seed=1,groups=4;seed=2" "vmali=" --vmali ' seed=1, groups=4 ; seed=2,'
gets "blanks and commas in a value" "load=/a b,,c ,,d,seed=1" "vmali=" --vmali 'load=/a b,,c ,,d, seed=1'
list="; tests/vmali/README.md lists the properties"
gets "a word that is no property" "script: --vmali: 'nonsense' is not PROPERTY=VALUE$list" "vmali=" --vmali nonsense
gets "one among properties" "script: --vmali: 'no-coherent' is not PROPERTY=VALUE$list" "vmali=" \
	--vmali 'seed=1;seed=2, no-coherent'
gets "no names" "script: unknown argument '--'$usage" "" --
exit $failed
